/**
 * What customers do in the past of a demo with many accounts, carried out by the features themselves at the
 * clock's time: rows, timelines and messages are the same as after requests from a browser. Only those
 * requests are left out, because hundreds of sign-ins take minutes.
 */
import type { OAuthSide, Services } from '../../app/wiring/services.ts';
import { unsubscriberOf } from '../../app/wiring/features/campaign.ts';
import { proofOf } from '../../app/wiring/features/moving.ts';
import { grantOf, migrate, type Account } from '../../features/accounts/account.ts';
import type { Invitation } from '../../features/accounts/invitation.ts';
import type { Campaign } from '../../features/campaign/campaign.ts';
import { unsubscribeToken } from '../../features/campaign/unsubscribe.ts';
import { Connecting, type HeldTokens } from '../../features/consent/connecting.ts';
import { consentEvents, type ConsentRefusal, type JudgedOrganisation } from '../../features/consent/model.ts';
import { storedIndex } from '../../lib/secret/seal.ts';
import type { IdentifierSync } from '../../features/identifiers/identifier-sync.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { LossReason } from '../../tokens/grant.ts';
import { sealPair } from '../../tokens/grant-row.ts';
import type { Customer } from './customers.ts';
import type { SeededCustomer } from './organisations.ts';
import type { TokenAnswer } from './tokens.ts';

/** How long a round trip of a browser may take, and the lease of a request to the service. */
const PATIENCE = 15 * MINUTE;
const LEASE = { leaseMs: MINUTE, longestLease: MINUTE };
/** Holder of the leases. */
const HOLDER = 'demo';

/** Dependencies of the deeds. */
export interface CustomerParts {
  readonly services: Services;
  readonly oauth: OAuthSide;
  readonly campaign: Campaign;
  readonly identifierSync: IdentifierSync;
  /** The customers' organisations, by account key. */
  readonly seeded: ReadonlyMap<string, SeededCustomer>;
  /** The token endpoint's answers for customers who approve, by account key. */
  readonly approved: ReadonlyMap<string, TokenAnswer>;
}

/** The actions of customers. */
export class CustomerDeeds {
  readonly #parts: CustomerParts;
  readonly #connecting: Connecting;

  constructor(parts: CustomerParts) {
    this.#parts = parts;
    this.#connecting = connectingOf(parts);
  }

  /** The customer presses the button in the invitation, and the browser leaves for the service. */
  async opens(account: Account): Promise<void> {
    const { store, random, clock, ring } = this.#parts.services;
    const invitation = await this.#invitation(account);
    if (invitation === undefined) return;
    const startedAt = clock.now();
    await store.invitations.startAttempt({
      ...{ id: random.id(), invitationId: invitation.id, accountId: account.id, verifierSealed: undefined },
      ...{ startedAt, expiresAt: startedAt + PATIENCE },
      stateIndex: storedIndex(ring, random.secret(), 'state'),
      browserIndex: storedIndex(ring, random.secret(), 'browser'),
    });
  }

  /**
   * The approval arrives, and proves or fails to prove (`findings`) that the organisation belongs to the
   * account.
   */
  async approves(account: Account, customer: Customer, isProved: boolean): Promise<void> {
    const answer = this.#parts.approved.get(customer.accountKey);
    const organisationId = this.#parts.seeded.get(customer.accountKey)?.organisationId;
    const invitation = await this.#invitation(account);
    if (answer === undefined || organisationId === undefined || invitation === undefined) return;
    const held = await this.#hold(account, invitation, answer);
    const organisation: JudgedOrganisation = {
      ...{ id: organisationId, name: customer.name, proved: isProved },
      ...{ standing: isProved ? 'same' : 'likely', findings: isProved ? ['client'] : ['nothingToCompare'] },
    };
    await this.#connecting.connect(held, [{ account, organisation }]);
  }

  /** The account moves; all checks have passed. */
  async moves({ id }: Account): Promise<void> {
    const { store, clock } = this.#parts.services;
    const account = await store.accounts.byId(id);
    if (account?.life.stage !== 'consented') return;
    const event = { at: clock.now(), kind: 'migrated', actor: 'bridge', detail: 'all checks passed' };
    await store.accounts.change(id, migrate, event);
  }

  /** The browser comes back from the service without a connection. */
  async isRefused(account: Account, reason: ConsentRefusal, found: readonly string[]): Promise<void> {
    await this.#connecting.refused(reason, account, found);
  }

  /** The customer does not want the connection, and gets no more e-mail. */
  async declines(account: Account): Promise<void> {
    const { store, clock } = this.#parts.services;
    const invitation = await this.#invitation(account);
    if (invitation === undefined) return;
    const event = {
      ...{ at: clock.now(), kind: consentEvents.refused, actor: 'customer', detail: 'declined' },
    };
    await store.consents.decline(invitation.id, account.id, event);
  }

  /** The customer unsubscribes by the link in the last message. */
  async unsubscribes({ id }: Account): Promise<void> {
    const { services } = this.#parts;
    const message = (await services.store.campaign.messages(id)).at(-1);
    if (message === undefined) return;
    await unsubscriberOf(services).unsubscribe(unsubscribeToken(services.ring, message.id));
  }

  /** The customer's mail server returns a message. */
  async bounces({ email }: Customer): Promise<void> {
    const { store, clock } = this.#parts.services;
    if (email === undefined) return;
    const words = '550 5.1.1 The account that you tried to reach does not exist';
    await store.bounces.take({ address: email, kind: 'dead', words }, 'report', clock.now());
  }

  /** The next refresh is refused for good. */
  async loses({ life }: Account, reason: LossReason): Promise<void> {
    const { store, clock } = this.#parts.services;
    if (!('binding' in life)) return;
    const now = clock.now();
    const { grantId } = life.binding;
    const begun = await store.grants.begin({ grantId, holder: HOLDER, generation: 1, ...LEASE, now });
    if (begun.outcome === 'begun') await store.grants.lost(begun.lease, reason, now);
  }

  /** The bridge renews the tokens of a customer who approved, as it does for every unused grant. */
  async renewed({ life }: Account, customer: Customer): Promise<void> {
    const { store, clock, ring } = this.#parts.services;
    const answer = this.#parts.approved.get(customer.accountKey);
    const grantId = grantOf(life);
    if (grantId === undefined || answer?.refreshToken === undefined) return;
    const now = clock.now();
    const begun = await store.grants.begin({ grantId, holder: HOLDER, generation: 1, ...LEASE, now });
    if (begun.outcome !== 'begun') return;
    const pair = { ...answer, refreshToken: answer.refreshToken, generation: 2 };
    await store.grants.renewed(begun.lease, sealPair(ring, grantId, pair), now);
  }

  async #hold(account: Account, { id: invitationId }: Invitation, answer: TokenAnswer): Promise<HeldTokens> {
    const { services, oauth } = this.#parts;
    const { store, random, clock, ring } = services;
    const { name: application, scopes } = oauth.applications.of(account.application);
    const { consenter } = answer.claims;
    const held = { choiceId: random.id(), grantId: random.id(), application, consenter };
    const { refreshToken } = answer;
    if (refreshToken === undefined) throw new Error(`${account.name} got no refresh token`);
    const now = clock.now();
    const tokens = sealPair(ring, held.grantId, { ...answer, refreshToken, generation: 1 });
    const scope = answer.scope ?? scopes[account.product];
    await store.choices.hold(
      { id: held.grantId, application, consenter, scope, tokens, now },
      {
        ...{ id: held.choiceId, grantId: held.grantId, invitationId, accountId: account.id },
        ...{ organisations: [], companions: [], startedAt: now, expiresAt: now + PATIENCE },
        keyIndex: storedIndex(ring, random.secret(), 'choice'),
        browserIndex: storedIndex(ring, random.secret(), 'browser'),
      },
    );
    return held;
  }

  /** The newest invitation that is still valid. */
  async #invitation({ id }: Account): Promise<Invitation | undefined> {
    const all = await this.#parts.services.store.invitations.ofAccount(id);
    return all.findLast(({ state }) => state === 'issued' || state === 'opened' || state === 'declined');
  }
}

/** The bridge's connecting of accounts; the checks before the move are left to `moves`. */
function connectingOf({ services, oauth, campaign, identifierSync }: CustomerParts): Connecting {
  const { settings, store, ring, clock, random, log } = services;
  return new Connecting({
    ...{ repository: store.accounts, invitations: store.invitations, choices: store.choices },
    ...{ consents: store.consents, awaiting: store.awaiting, grants: store.grants },
    ...{ applications: oauth.applications, identifierSync },
    cutover: { check: async () => ({ verdict: 'nothing' }) },
    proof: proofOf(services, oauth),
    proofMode: settings.consentProof,
    ...{ seal: ring, profile: settings.profile },
    issuerOrigin: new URL(oauth.settings.authUrl).origin,
    ...{ clock, random, log },
    notice: (facts, by) => campaign.notice(facts, by),
  });
}
