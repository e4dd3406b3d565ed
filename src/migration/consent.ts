import { createHash } from 'node:crypto';
import {
  consent,
  type Account,
  type Binding,
  type Organisation,
  type Product,
  type Stage,
} from '../domain/account.ts';
import { OrganisationTaken, type AccountBook } from '../domain/accounts.ts';
import { SECOND, type Clock } from '../domain/clock.ts';
import type { GrantBook } from '../domain/grant.ts';
import type { ConsentAttempt, Invitation, InvitationBook } from '../domain/invitation.ts';
import type { Log } from '../domain/log.ts';
import { sealPair } from '../domain/pair.ts';
import type { Profile } from '../domain/profile.ts';
import type { Seal } from '../domain/seal.ts';
import { Secret } from '../domain/secret.ts';
import { AuthorityRefused, type Authority, type Connection, type TokenAnswer } from '../domain/upstream.ts';
import { isOurs, type Chance } from './chance.ts';
import type { Cutover } from './cutover.ts';
import type { Learner } from './learner.ts';
import type { OrganisationProof } from './organisation-proof.ts';
import { choose, organisationsOf } from './organisations.ts';
import { within } from './within.ts';

export interface ConsentParts {
  readonly book: AccountBook;
  readonly invitations: InvitationBook;
  readonly grants: GrantBook;
  readonly authority: Authority;
  readonly learner: Learner;
  readonly cutover: Cutover;
  readonly proof: OrganisationProof;
  readonly seal: Seal;
  readonly profile: Profile;
  readonly scopes: Readonly<Record<Product, string>>;
  /** The registered address, exact; never built from a request. */
  readonly redirectUri: string;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** How long a browser may wait for the learning, and for the checks, in milliseconds. */
  readonly patience?: number | undefined;
}

/** What a link offers; looking at it changes nothing. */
export interface Offer {
  readonly account: Account;
  /** The organisation it is connected to already. */
  readonly organisation: Organisation | undefined;
  readonly expiresAt: number;
}

export type Departure =
  | { readonly outcome: 'leave'; readonly url: string }
  /** Unknown, expired, used or withdrawn: nobody is told which. */
  | { readonly outcome: 'unknown' }
  /** The numbers could not be learned right now, and after the step nobody can learn them any more. */
  | { readonly outcome: 'later' };

/** The query of the callback, as far as it was given exactly once. */
export interface Arrival {
  readonly state: string | undefined;
  readonly code: Secret | undefined;
  readonly error: string | undefined;
}

export type Connected = {
  readonly outcome: 'connected';
  readonly account: string;
  readonly organisation: string;
  /** False while checks are still running; calls are served all the same. */
  readonly migrated: boolean;
};

export type Outcome =
  | Connected
  | {
      readonly outcome:
        | 'attemptUnknown'
        | 'denied'
        | 'exchangeFailed'
        | 'noOfflineAccess'
        | 'noOrganisation'
        | 'severalOrganisations'
        | 'organisationTaken'
        | 'otherOrganisation'
        | 'foreignOrganisation';
    };

/** Another consent connected the account while this one was judged: its judgement holds no longer. */
class Overtaken extends Error {
  constructor() {
    super('another consent was faster');
    this.name = 'Overtaken';
  }
}

const grantOf = (life: Stage): string | undefined => ('binding' in life ? life.binding.grantId : undefined);

/** The life as it is now, if it still stands on the grant it stood on. Throws `Overtaken`. */
function unchanged(life: Stage, judged: Stage): Stage {
  if (grantOf(life) !== grantOf(judged)) throw new Overtaken();
  return life;
}

const PATIENCE = 25 * SECOND;
const VERIFIER = 'verifier';

/** From the invitation to the authorisation server and back: whose account it is comes from our own row alone. */
export class Consent {
  readonly #parts: ConsentParts;

  constructor(parts: ConsentParts) {
    this.#parts = parts;
  }

  /** Undefined for every link that does not work, whatever the reason. */
  async look(link: string): Promise<Offer | undefined> {
    const found = await this.#living(link);
    if (found === undefined) return undefined;
    const { life } = found.account;
    return {
      account: found.account,
      organisation: 'binding' in life ? life.binding.organisation : undefined,
      expiresAt: found.invitation.expiresAt,
    };
  }

  /**
   * One attempt of one browser: `browser` is the value of its cookie. The numbers are learned first, because the
   * step cannot be taken back and afterwards nobody can ask for them.
   */
  async begin(link: string, browser: Secret): Promise<Departure> {
    const found = await this.#living(link);
    if (found === undefined) return { outcome: 'unknown' };
    if (!(await this.#learned(found.account))) return { outcome: 'later' };
    return { outcome: 'leave', url: await this.#attempt(found, browser) };
  }

  /**
   * What came back. Only a completed consent uses the link up: after anything else the customer presses the button
   * again.
   *
   * The order of the writes, should the process die in between: the attempt is taken out first, so that a state
   * serves once; then nothing is written until code and organisation are proved, so that a death here leaves no
   * trace; then the grant; then, in one transaction, the account with its binding, which decides; last the
   * invitation. A grant that no account names is used by nobody; an invitation still open behind a bound account
   * can only connect the same organisation again.
   */
  async complete(arrival: Arrival, browser: Secret | undefined): Promise<Outcome> {
    const attempt = await this.#take(arrival.state, browser);
    const account = attempt && (await this.#parts.book.byId(attempt.accountId));
    if (attempt === undefined || account === undefined || account.life.stage === 'closed')
      return { outcome: 'attemptUnknown' };
    const outcome = await this.#judge(arrival, attempt, account);
    if (outcome.outcome !== 'connected') await this.#tell(account, attempt, outcome.outcome);
    return outcome;
  }

  async #judge(arrival: Arrival, attempt: ConsentAttempt, account: Account): Promise<Outcome> {
    if (arrival.error !== undefined)
      return { outcome: arrival.error === 'access_denied' ? 'denied' : 'exchangeFailed' };
    if (arrival.code === undefined) return { outcome: 'exchangeFailed' };
    const answer = await this.#exchange(arrival.code, attempt);
    if (answer === undefined) return { outcome: 'exchangeFailed' };
    // Without it the connection would die in half an hour (Scopes, offline_access).
    if (answer.refreshToken === undefined) return { outcome: 'noOfflineAccess' };
    const connections = await this.#connections(answer);
    if (connections === undefined) return { outcome: 'exchangeFailed' };
    const organisations = organisationsOf(answer, connections, this.#parts.profile.organisationSources);
    const chosen = choose(account, organisations);
    switch (chosen.choice) {
      case 'none':
        return { outcome: 'noOrganisation' };
      case 'several':
        return { outcome: 'severalOrganisations' };
      case 'one':
        return this.#connect(account, attempt, chosen.organisation, {
          ...answer,
          refreshToken: answer.refreshToken,
        });
    }
  }

  async #connect(
    account: Account,
    attempt: ConsentAttempt,
    organisation: Organisation,
    answer: TokenAnswer & { readonly refreshToken: Secret },
  ): Promise<Outcome> {
    const { book, invitations, clock, log } = this.#parts;
    const hindrance = await this.#hindrance(account, organisation);
    if (hindrance !== undefined) return { outcome: hindrance };
    const binding = { grantId: await this.#keep(account, organisation, answer), organisation };
    const doubt = await this.#doubt(account, binding);
    if (doubt !== undefined) {
      await this.#parts.grants.forget(binding.grantId);
      return { outcome: doubt };
    }
    const who = answer.claims.consenter.name ?? answer.claims.consenter.userId;
    try {
      await book.change(account.id, (life) => consent(unchanged(life, account.life), binding), {
        at: clock.now(),
        kind: 'consented',
        actor: 'customer',
        detail: `${organisation.name} connected by ${who}`,
      });
    } catch (error) {
      if (error instanceof OrganisationTaken) return { outcome: 'organisationTaken' };
      if (error instanceof Overtaken) return { outcome: 'attemptUnknown' };
      throw error;
    }
    await invitations.setState(attempt.invitationId, 'accepted', clock.now());
    log.info('consent.connected', { account: account.id, grant: binding.grantId });
    return this.#connected(account.id, organisation);
  }

  /** The checks may take longer than a browser waits; the round goes on with them. */
  async #connected(accountId: string, organisation: Organisation): Promise<Outcome> {
    const { book, cutover } = this.#parts;
    const checked = cutover.check(accountId).then(
      () => undefined,
      (error: unknown) => {
        this.#checkFailed(accountId, error);
      },
    );
    await within(this.#patience, checked);
    const account = await book.byId(accountId);
    return {
      outcome: 'connected',
      account: account?.name ?? '',
      organisation: organisation.name,
      migrated: account?.life.stage === 'migrated',
    };
  }

  #checkFailed(accountId: string, error: unknown): void {
    const words = error instanceof Error ? error.message : 'unknown';
    this.#parts.log.error('cutover.failed', { account: accountId, error: words });
  }

  /** One organisation, one account; and an account that has moved keeps its organisation. */
  async #hindrance(
    account: Account,
    organisation: Organisation,
  ): Promise<'organisationTaken' | 'otherOrganisation' | undefined> {
    const { life } = account;
    const moved = life.stage === 'migrated' || life.stage === 'lost';
    if (moved && life.binding.organisation.id !== organisation.id) return 'otherOrganisation';
    const holder = await this.#parts.book.byOrganisation(organisation.id);
    return holder !== undefined && holder.id !== account.id ? 'organisationTaken' : undefined;
  }

  /** A first binding has to be proved: it cannot be taken back. Where nothing can be compared the customer's word counts. */
  async #doubt(
    account: Account,
    { grantId, organisation }: Binding,
  ): Promise<'foreignOrganisation' | 'exchangeFailed' | undefined> {
    if ('binding' in account.life && account.life.binding.organisation.id === organisation.id)
      return undefined;
    const { id: accountId, product } = account;
    const proof = await this.#parts.proof.of({
      accountId,
      product,
      grantId,
      organisationId: organisation.id,
    });
    if (proof === 'later') return 'exchangeFailed';
    return proof === 'different' ? 'foreignOrganisation' : undefined;
  }

  /** A repeated consent replaces the tokens of the account's own grant; a shared grant is left to the others. */
  async #keep(
    account: Account,
    organisation: Organisation,
    answer: TokenAnswer & { readonly refreshToken: Secret },
  ): Promise<string> {
    const { grants, chance, clock, seal } = this.#parts;
    const id = (await this.#ownGrant(account, organisation)) ?? chance.id();
    const { consenter } = answer.claims;
    const scope = answer.scope ?? this.#parts.scopes[account.product];
    const tokens = sealPair(seal, id, { ...answer, generation: 1 });
    const now = clock.now();
    if ((await grants.find(id)) === undefined) await grants.create({ id, consenter, scope, tokens, now });
    else await grants.replace(id, tokens, consenter, scope, now);
    return id;
  }

  async #ownGrant({ life }: Account, organisation: Organisation): Promise<Binding['grantId'] | undefined> {
    if (!('binding' in life) || life.binding.organisation.id !== organisation.id) return undefined;
    const sharers = await this.#parts.book.byGrant(life.binding.grantId);
    return sharers.length === 1 ? life.binding.grantId : undefined;
  }

  async #exchange(code: Secret, attempt: ConsentAttempt): Promise<TokenAnswer | undefined> {
    const { authority, seal, redirectUri, log } = this.#parts;
    const { verifierSealed } = attempt;
    const verifier =
      verifierSealed === undefined ? undefined : seal.open(verifierSealed, attempt.id, VERIFIER);
    try {
      return await authority.exchange(code, redirectUri, verifier);
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      log.warn('consent.exchange', { account: attempt.accountId, error: error.error });
      return undefined;
    }
  }

  /** All the user ever connected: the filter by this consent is ours, because not every server knows it. */
  async #connections(answer: TokenAnswer): Promise<readonly Connection[] | undefined> {
    const { authority, profile, log } = this.#parts;
    if (!profile.organisationSources.includes('connections')) return [];
    try {
      return await authority.connections(answer.accessToken, answer.claims.authenticationEventId);
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      log.warn('consent.connections', { error: error.error });
      // Only the names are missing where the token itself says which organisation it is for.
      return answer.claims.organisationIds.length > 0 ? [] : undefined;
    }
  }

  async #take(state: string | undefined, browser: Secret | undefined): Promise<ConsentAttempt | undefined> {
    const { invitations, seal, clock } = this.#parts;
    if (state === undefined || !isOurs(state) || browser === undefined) return undefined;
    return invitations.takeAttempt(
      seal.index(new Secret(state), 'state'),
      seal.index(browser, 'browser'),
      clock.now(),
    );
  }

  async #tell(account: Account, attempt: ConsentAttempt, outcome: string): Promise<void> {
    const { book, invitations, clock, log } = this.#parts;
    const at = clock.now();
    log.info('consent.unfinished', { account: account.id, outcome });
    await book.note(account.id, { at, kind: 'consent.unfinished', actor: 'customer', detail: outcome });
    if (outcome === 'denied') await invitations.setState(attempt.invitationId, 'declined', at);
  }

  async #living(
    link: string,
  ): Promise<{ readonly invitation: Invitation; readonly account: Account } | undefined> {
    const { invitations, book, seal, clock } = this.#parts;
    if (!isOurs(link)) return undefined;
    const invitation = await invitations.byLink(seal.index(new Secret(link), 'invitation'));
    const account = invitation && (await book.byId(invitation.accountId));
    if (invitation === undefined || account === undefined || account.life.stage === 'closed')
      return undefined;
    const over = ['accepted', 'withdrawn', 'expired'].includes(invitation.state);
    return over || invitation.expiresAt <= clock.now() ? undefined : { invitation, account };
  }

  /** V1 that refuses the keys, or none at all, has nothing to tell; a passing fault is waited out. */
  async #learned(account: Account): Promise<boolean> {
    const { stage } = account.life;
    if (stage !== 'legacy' && stage !== 'consented') return true;
    const { learner } = this.#parts;
    if (learner.knowsFresh(account.id)) return true;
    const learning = await within(this.#patience, learner.learn(account, 'customer'));
    return learning !== undefined && learning.outcome !== 'failed';
  }

  async #attempt(
    { invitation, account }: { readonly invitation: Invitation; readonly account: Account },
    browser: Secret,
  ): Promise<string> {
    const { authority, invitations, chance, clock, profile, redirectUri, scopes } = this.#parts;
    const id = chance.id();
    const state = chance.secret();
    const verifier = profile.pkce ? chance.secret() : undefined;
    const now = clock.now();
    await invitations.startAttempt({
      id,
      invitationId: invitation.id,
      accountId: account.id,
      verifierSealed: verifier && this.#parts.seal.seal(verifier, id, VERIFIER),
      startedAt: now,
      expiresAt: now + profile.durations.consentAttempt * SECOND,
      stateIndex: this.#index(state, 'state'),
      browserIndex: this.#index(browser, 'browser'),
    });
    await invitations.setState(invitation.id, 'opened', now);
    return authority.authorizeUrl({
      scope: scopes[account.product],
      state: state.reveal(),
      redirectUri,
      challenge: verifier && createHash('sha256').update(verifier.reveal()).digest('base64url'),
    });
  }

  #index(value: Secret, purpose: string): string {
    const index = this.#parts.seal.index(value, purpose)[0];
    if (index === undefined) throw new Error('the seal has no key');
    return index;
  }

  get #patience(): number {
    return this.#parts.patience ?? PATIENCE;
  }
}
