import { createHash } from 'node:crypto';
import { isKnownStage, type Account } from '../accounts/account.ts';
import { HOUR, SECOND } from '../../lib/time/clock.ts';
import type { Invitation } from '../accounts/invitation.ts';
import { storedIndex } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { isOurs } from '../../lib/secret/random.ts';
import { consentEvents } from './model.ts';
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

/** Why the button does not lead on now; `words` are for the operator. */
interface Later {
  readonly reason: 'application' | 'slow' | 'unread';
  readonly words: string;
}

/** After that, a V1 that answers nobody counts as ended. */
const LONGEST_FAULT = HOUR;
const UNREAD = 'V1 could not be read';
const ENDED = 'If V1 has ended, remove CAUSEWAY_V1_BASE_URL';

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
    const why = await this.#whyLater(found.account);
    if (why !== undefined) {
      await this.#turnAway(found.account, why);
      return { outcome: 'later', ...customer };
    }
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

  /** Undefined: the customer may leave. */
  async #whyLater(account: Account): Promise<Later | undefined> {
    if (this.#isMissing(account))
      return { reason: 'application', words: `the application ${account.application} is not configured` };
    const [why] = await Promise.all([
      this.#whyNotLearned(account),
      within(this.#patience, this.#learnBeside(account)),
    ]);
    return why;
  }

  /**
   * A missing V1, or one that refuses the keys, has nothing to learn from; after a temporary fault the customer tries
   * again. What programs have added since a sync that has just ended is read meanwhile: they may add more all the time.
   */
  async #whyNotLearned(account: Account): Promise<Later | undefined> {
    if (!isOnV1(account)) return undefined;
    const { identifierSync } = this.#parts;
    const isFresh = identifierSync.knowsFresh(account.id);
    if (isFresh && !(await identifierSync.hasMissed(account.id))) return undefined;
    const learning = await within(this.#patience, identifierSync.learn(account, 'customer'));
    if (isFresh || (learning !== undefined && learning.outcome !== 'failed')) return undefined;
    return this.#whyUnread(account, learning === undefined);
  }

  /**
   * V1 may have ended without anybody having said so. The move does without it if every number is known, and so does the
   * consent, but not because of a fault that may be over in a moment: V1 may show records that nobody has read yet.
   */
  async #whyUnread(account: Account, isUnanswered: boolean): Promise<Later | undefined> {
    const { identifierSync } = this.#parts;
    const absentFor = await identifierSync.absentFor();
    if (absentFor === undefined && isUnanswered)
      return { reason: 'slow', words: 'V1 has not shown all numbers yet' };
    if (absentFor === undefined || absentFor < LONGEST_FAULT) return { reason: 'unread', words: UNREAD };
    if (!(await identifierSync.knowsAll(account.id)))
      return {
        reason: 'unread',
        words: `${UNREAD} for an hour or more, and not all numbers are known. ${ENDED}`,
      };
    await this.#note(account, consentEvents.unread, `${UNREAD} for an hour or more; all numbers are known`);
    this.#parts.log.warn('consent.unread', { account: account.id });
    return undefined;
  }

  /** The customer sees a page that names no reason: the operator has to. */
  async #turnAway(account: Account, { reason, words }: Later): Promise<void> {
    this.#parts.log.warn('consent.later', { account: account.id, reason });
    await this.#note(account, consentEvents.later, words);
  }

  /** Once an hour, however often the button is pressed. */
  async #note({ id }: Account, kind: string, detail: string): Promise<void> {
    const { repository, clock } = this.#parts;
    const at = clock.now();
    const isTold = (await repository.timeline(id)).some(
      (one) => one.kind === kind && one.detail === detail && Math.abs(at - one.at) < HOUR,
    );
    if (!isTold) await repository.note(id, { at, kind, actor: 'customer', detail });
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
