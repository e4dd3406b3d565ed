import { createHash } from 'node:crypto';
import { isKnownStage, type Account } from '../accounts/account.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Invitation } from '../accounts/invitation.ts';
import { storedIndex } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { isOurs } from '../../lib/secret/random.ts';
import {
  bindingOf,
  expectedName,
  PATIENCE,
  VERIFIER,
  type ConsentParts,
  type Departure,
  type Offer,
} from './parts.ts';
import { within } from '../../lib/time/within.ts';

/** A working link and its account. */
export interface Living {
  readonly invitation: Invitation;
  readonly account: Account;
}

/** Accounts of the same person that are synchronised beforehand; the hourly job does the rest. */
const MOST_BESIDE = 10;

/** The way from the invitation to the authorisation server. */
export class Leaving {
  readonly #parts: ConsentParts;

  constructor(parts: ConsentParts) {
    this.#parts = parts;
  }

  /** Undefined for every link that does not work, whatever the reason. */
  async look(link: string): Promise<Offer | undefined> {
    const found = await this.living(link);
    if (found === undefined) return undefined;
    const { account, invitation } = found;
    const { language, zone } = await this.#parts.repository.details(account.id);
    return {
      account,
      organisation: bindingOf(account)?.organisation,
      expected: await expectedName(this.#parts.repository, account),
      awaiting: account.life.stage === 'awaiting-operator' ? account.life.proposal.organisation : undefined,
      expiresAt: invitation.expiresAt,
      language,
      zone,
    };
  }

  /**
   * Starts an attempt for one browser; `browser` is the value of its cookie. The numbers are learned first, because the
   * step cannot be undone and they can no longer be read afterwards.
   */
  async begin(link: string, browser: Secret): Promise<Departure> {
    const found = await this.living(link);
    if (found === undefined) return { outcome: 'unknown' };
    const { language, zone } = await this.#parts.repository.details(found.account.id);
    const { product, application } = found.account;
    const customer = { language, zone, product, application };
    if (this.#isMissing(found.account)) return { outcome: 'later', ...customer };
    const [learned] = await Promise.all([
      this.#learned(found.account),
      within(this.#patience, this.#learnBeside(found.account)),
    ]);
    if (!learned) return { outcome: 'later', ...customer };
    return { outcome: 'leave', url: await this.#attempt(found, browser), ...customer };
  }

  /** Undefined for every link that does not work. */
  async living(link: string): Promise<Living | undefined> {
    const { invitations, repository, seal, clock } = this.#parts;
    if (!isOurs(link)) return undefined;
    const invitation = await invitations.byLink(seal.index(new Secret(link), 'invitation'));
    const account = invitation && (await repository.byId(invitation.accountId));
    if (invitation === undefined || account === undefined || !mayConsent(account)) return undefined;
    const over = ['accepted', 'withdrawn', 'expired'].includes(invitation.state);
    return over || invitation.expiresAt <= clock.now() ? undefined : { invitation, account };
  }

  /**
   * A missing V1, or one that refuses the keys, has nothing to learn from; after a temporary fault the customer tries
   * again. What programs have added since a sync that has just ended is read meanwhile: they may add more all the time.
   */
  async #learned(account: Account): Promise<boolean> {
    if (!isOnV1(account)) return true;
    const { identifierSync } = this.#parts;
    const isFresh = identifierSync.knowsFresh(account.id);
    if (isFresh && !(await identifierSync.hasMissed(account.id))) return true;
    const learning = await within(this.#patience, identifierSync.learn(account, 'customer'));
    return isFresh || (learning !== undefined && learning.outcome !== 'failed');
  }

  /** The same consent may connect the person's other accounts; faults there do not hold this one up. */
  async #learnBeside(account: Account): Promise<void> {
    const { repository, choices, identifierSync, clock } = this.#parts;
    const ids = await choices.beside(account.id, clock.now());
    for (const id of ids.slice(0, MOST_BESIDE)) {
      const other = await repository.byId(id);
      if (other === undefined || !isOnV1(other) || identifierSync.knowsFresh(id)) continue;
      await identifierSync.learn(other, 'customer').catch(() => undefined);
    }
  }

  /** The account's application was removed from the settings: nobody can ask for this consent now. */
  #isMissing({ id, application }: Account): boolean {
    if (this.#parts.applications.find(application) !== undefined) return false;
    this.#parts.log.error('application.missing', { application, account: id });
    return true;
  }

  async #attempt({ invitation, account }: Living, browser: Secret): Promise<string> {
    const { applications, invitations, seal, random, clock, profile } = this.#parts;
    const { authority, redirectUri, scopes } = applications.of(account.application);
    const id = random.id();
    const state = random.secret();
    const verifier = profile.pkce ? random.secret() : undefined;
    const now = clock.now();
    await invitations.startAttempt({
      id,
      invitationId: invitation.id,
      accountId: account.id,
      verifierSealed: verifier && seal.seal(verifier, id, VERIFIER),
      startedAt: now,
      expiresAt: now + profile.durations.consentAttempt * SECOND,
      stateIndex: storedIndex(seal, state, 'state'),
      browserIndex: storedIndex(seal, browser, 'browser'),
    });
    return authority.authorizeUrl({
      scope: scopes[account.product],
      state: state.reveal(),
      redirectUri,
      challenge: verifier && createHash('sha256').update(verifier.reveal()).digest('base64url'),
    });
  }

  get #patience(): number {
    return this.#parts.patience ?? PATIENCE;
  }
}

const isOnV1 = ({ life }: Account): boolean =>
  life.stage === 'legacy' || life.stage === 'awaiting-operator' || life.stage === 'consented';

const mayConsent = ({ life }: Account): boolean => life.stage !== 'closed' && isKnownStage(life);
