/**
 * Decides for one account whether and why it is stuck, and what happens next.
 *
 * Both are pure functions of the account's rows and the time (`Case`), one branch per stage. Of several
 * reasons the most pressing one is reported. The next step says who takes it: the bridge itself, the
 * customer, or the operator.
 */
import type { KnownParity } from '../../cutover/parity/model.ts';
import { findingWords, openFindings, type Watch } from '../../cutover/watch/model.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import type { Verdict } from '../../usage/readiness/verdict.ts';
import { nextActions, stuckReasons, type NextAction, type StuckReason } from '../codes.ts';
import { type ReportedAccount } from '../model.ts';
import { parityShown } from '../../cutover/parity/shown.ts';
import { CHECKS_PASSED } from '../../cutover/checks.ts';
import type {
  AccountLine,
  CallsLine,
  GrantLine,
  HindranceLine,
  InvitationLine,
  MessageLine,
  RunLine,
} from '../report-rows.ts';
import { DAY, MINUTE } from '../../../lib/time/clock.ts';
import { cameBack, FROM_FORMER, invitationState, NONE_SINCE, ownMessage } from './reached.ts';
import { refusalWords, type ConsentRefusal } from '../../consent/model.ts';
import { lossWords } from '../code-words.ts';

/** Everything known about one account. */
export interface Case {
  readonly account: AccountLine;
  readonly invitation: InvitationLine | undefined;
  readonly grant: GrantLine | undefined;
  readonly run: RunLine | undefined;
  /** The stopped wave that holds its invitation back, or has not invited it yet. */
  readonly heldBy: string | undefined;
  readonly message: MessageLine | undefined;
  readonly calls: CallsLine | undefined;
  readonly hindrance: HindranceLine | undefined;
  /** Since when V1 has refused its keys; undefined: V1 accepted them when the bridge last asked, or was never asked. */
  readonly v1Refused: number | undefined;
  /** See `StatusRows`. */
  readonly approvedElsewhere: string | undefined;
  readonly unlearned: number;
  /** Whether all its identifiers were read from V1. */
  readonly isIdentified: boolean;
  readonly verdict: Verdict | undefined;
  readonly forecast: Forecast | undefined;
  readonly parity: KnownParity | undefined;
  readonly watch: Watch | undefined;
  readonly now: number;
  /** Whether invitations are sent by e-mail; otherwise links are only shown. */
  readonly mails: boolean;
  /** Whether V1 is configured, and whether V3 needs UUIDs for its numbers. */
  readonly v1: { readonly answers: boolean; readonly numbers: boolean };
}

interface Stuck {
  readonly reason: StuckReason;
  readonly detail?: string | undefined;
}
interface Next {
  readonly action: NextAction;
  readonly at?: number | undefined;
}

/** In milliseconds. A refresh is answered within seconds; one open for longer than this has a problem. */
const LONGEST_REFRESH = 5 * MINUTE;
/** In milliseconds. The bridge refreshes a token at half of its life; beyond this age, something is wrong. */
const OLD_GRANT = 45 * DAY;
/** Fewer failed calls than this may be a single program's bad day. */
const NOTEWORTHY = 5;

/** The most pressing reason why an account does not continue by itself; null while it does. */
export function stuckOf(one: Case): ReportedAccount['stuck'] {
  const stuck = reasonOf(one);
  return stuck === undefined
    ? null
    : { reason: stuck.reason, words: stuckReasons[stuck.reason], detail: stuck.detail ?? null };
}

function reasonOf(one: Case): Stuck | undefined {
  switch (one.account.stage) {
    case 'legacy':
      return v1Refuses(one) ?? unanswered(one);
    case 'awaiting-operator':
      return { reason: 'consent-unproved', detail: one.account.organisation };
    case 'consented':
      return checks(one);
    case 'migrated':
      return moved(one);
    case 'lost':
      return one.account.lostReason === 'exported'
        ? { reason: 'exported' }
        : { reason: 'grant-lost', detail: lostDetail(one) };
    case 'closed':
      return undefined;
  }
}

/** With the reasons that are known as the detail: what may have closed V1, and why nobody has consented. */
function v1Refuses(one: Case): Stuck | undefined {
  const refuses = one.v1Refused === undefined ? failsWithoutV1(one) : !servedSince(one, one.v1Refused);
  if (!refuses || one.account.origin === 'issued') return undefined; // it was never on V1
  const other = unanswered(one);
  const known = [one.approvedElsewhere, other && stuckReasons[other.reason]].filter(
    (why) => why !== undefined,
  );
  return { reason: 'v1-refuses', detail: known.length === 0 ? undefined : known.join('; ') };
}

const failsWithoutV1 = ({ calls }: Case): boolean =>
  calls !== undefined && calls.errors > 0 && calls.errors === calls.calls && calls.v1Calls === 0;

/** Calls are counted by the hour: those in the hour of the refusal may have preceded it and prove nothing. */
const servedSince = ({ calls }: Case, refusedAt: number): boolean => (calls?.v1Hour ?? 0) >= refusedAt;

/** For an account whose customer has not consented. */
const unanswered = (one: Case): Stuck | undefined =>
  one.heldBy === undefined
    ? (refusedConsent(one) ?? undelivered(one) ?? silence(one))
    : { reason: 'wave-stopped', detail: one.heldBy };

function refusedConsent({ run, hindrance, invitation }: Case): Stuck | undefined {
  // Each reminder carries a new link: only another invitation makes an earlier attempt obsolete.
  const asked = run?.beganAt ?? invitation?.issuedAt ?? 0;
  const tried = hindrance !== undefined && hindrance.kind !== 'checks' && hindrance.at >= asked;
  if (tried && hindrance.detail !== DECLINED) return { reason: 'consent-failed', detail: wordsOf(hindrance) };
  // The link that was answered may be an older one.
  return tried || run?.stopped === 'declined' ? { reason: 'declined' } : undefined;
}

function undelivered(one: Case): Stuck | undefined {
  const message = ownMessage(one);
  if (message === undefined) return undefined;
  if (hasOtherAddress(one)) return { reason: 'mail-failed', detail: wordsOfFormer(message) };
  if (notDelivered.has(message.state)) return { reason: 'mail-failed', detail: message.reason };
  if (!cameBack(one)) return undefined;
  return { reason: 'mail-failed', detail: one.account.hasAddress ? 'the address is dead' : FROM_FORMER };
}

function wordsOfFormer({ state, isToDead }: MessageLine): string {
  if (state === 'refused') return 'it was refused, and its address has been corrected since';
  return state === 'sent' && isToDead ? `${FROM_FORMER}, ${NONE_SINCE}` : 'its address was corrected since';
}

/**
 * Its dead address was corrected: unless reminders still run, nothing is sent until somebody reminds or invites the
 * customer.
 */
const hasOtherAddress = (one: Case): boolean =>
  (one.run?.stopped === 'refused' || cameBack(one)) &&
  one.account.hasAddress &&
  one.account.suppressed === undefined &&
  !waits(one);

function silence(one: Case): Stuck | undefined {
  const { run } = one;
  if (run?.stopped === 'unsubscribed') return { reason: 'unsubscribed' };
  const state = invitationState(one);
  if (state === 'declined' || state === 'expired' || state === 'withdrawn') return { reason: state };
  // The last reminder may still be waiting for its hour.
  if (run?.stopped === 'done' && !waits(one)) return { reason: 'no-answer' };
  return state === 'none' && one.mails && !one.account.hasAddress ? { reason: 'no-address' } : undefined;
}

/** Whether a message has still to leave. */
const waits = ({ message }: Case): boolean => message?.state === 'queued' || message?.state === 'failed';

const DECLINED: ConsentRefusal = 'declined';

/** The entry of an operator's refusal names who approved, perhaps a stranger: reports are mailed, so they leave it out. */
const wordsOf = ({ kind, detail }: HindranceLine): string =>
  kind === 'refused' ? 'an operator refused it; any e-mail is in the timeline' : refusalWords(detail);
const triedAgain = (words: string): string => `tried again: ${words}`;
/** The detail of a lost account whose customer has declined since. */
export const DECLINED_SINCE = triedAgain(refusalWords(DECLINED));

const notDelivered: ReadonlySet<string> = new Set<MessageLine['state']>(['refused', 'unknown', 'abandoned']);

function lostDetail({ account, hindrance }: Case): string | undefined {
  if (hindrance?.kind === 'consent' || hindrance?.kind === 'refused') return triedAgain(wordsOf(hindrance));
  return account.lostReason && lossWords(account.lostReason);
}

function checks({ account, hindrance, unlearned }: Case): Stuck | undefined {
  if (!account.hasApiKey) return { reason: 'no-api-key', detail: 'it does not move until the key is known' };
  if (hindrance?.kind !== 'checks') return undefined;
  if (hindrance.detail === CHECKS_PASSED) return { reason: 'awaits-operator' };
  return { reason: unlearned > 0 ? 'unlearned' : 'checks-fail', detail: hindrance.detail };
}

function moved({ account, grant, calls, unlearned, watch, now }: Case): Stuck | undefined {
  if (!account.hasApiKey) return { reason: 'no-api-key', detail: refusedCalls(calls) };
  if (grant?.state === 'unresolved' && now - (grant.since ?? now) > LONGEST_REFRESH)
    return { reason: 'grant-unresolved' };
  if (grant !== undefined && now - grant.renewedAt > OLD_GRANT) return { reason: 'grant-expiring' };
  if (failsOften(calls))
    return { reason: 'calls-fail', detail: `${calls.sinceStage.errors} of ${calls.sinceStage.calls}` };
  if (watch?.flaggedAt !== undefined) return { reason: 'flagged', detail: findingWords(openFindings(watch)) };
  return unlearned > 0 ? { reason: 'unlearned', detail: `${unlearned} records` } : undefined;
}

/** Before the move, V1 or, where it refused the keys, the bridge itself answered: that proves nothing about V3. */
const failsOften = (calls: CallsLine | undefined): calls is CallsLine =>
  calls !== undefined &&
  calls.sinceStage.errors >= NOTEWORTHY &&
  calls.sinceStage.errors * 2 >= calls.sinceStage.calls;

const refusedCalls = (calls: CallsLine | undefined): string =>
  calls === undefined || calls.sinceStage.errors === 0
    ? 'its next call is refused'
    : `it has moved: ${calls.sinceStage.errors} of its ${calls.sinceStage.calls} recent calls failed`;

/** What happens next; null if nothing is left to do. */
export function nextOf(one: Case, stuck: ReportedAccount['stuck']): ReportedAccount['next'] {
  // The customer of an account that has left the bridge is not asked again.
  const next = stuck?.reason === 'exported' ? undefined : stepOf(one, stuck?.reason);
  if (next === undefined) return null;
  const at = next.at === undefined ? null : new Date(next.at).toISOString();
  return { action: next.action, ...nextActions[next.action], at };
}

const beforeMoving: Partial<Readonly<Record<StuckReason, NextAction>>> = {
  'awaits-operator': 'cutover',
  'no-api-key': 'give-api-key',
  unlearned: 'import-numbers',
};

function stepOf(one: Case, reason: StuckReason | undefined): Next | undefined {
  switch (one.account.stage) {
    case 'legacy':
    case 'lost':
      return towardsConsent(asked(one));
    case 'awaiting-operator':
      return { action: 'judge-consent' };
    case 'consented':
      return { action: (reason && beforeMoving[reason]) ?? nextCheck(one) };
    case 'migrated':
      return remedy(one, reason);
    case 'closed':
      return undefined;
  }
}

/** The bridge checks again, unless the comparison found differences that only a person can accept. */
const nextCheck = ({ hindrance, parity }: Case): NextAction =>
  hindrance?.kind === 'checks' &&
  parity !== undefined &&
  ['different', 'incomplete'].includes(parityShown(parity).verdict)
    ? 'accept-differences'
    : 'check';

const withoutAddress: ReadonlySet<StuckReason> = new Set(['mail-failed', 'no-address']);
/** The customer declined, or did not reply. */
const answeredNo: ReadonlySet<StuckReason> = new Set(['declined', 'no-answer', 'unsubscribed']);

/** An invitation from before the consent was lost does not say whether its customer answers now. */
function asked(one: Case): Case {
  const { account, run } = one;
  return account.stage === 'lost' && run !== undefined && run.beganAt < account.stageSince
    ? { ...one, run: undefined }
    : one;
}

/** The reason says why nobody has consented, even where V1 refuses the keys or the last consent has ended. */
function towardsConsent(one: Case): Next {
  const { message, run, invitation } = one;
  const reason = unanswered(one)?.reason;
  if (one.heldBy !== undefined) return { action: 'decide-wave' };
  if (waits(one)) return { action: 'send-mail', at: message?.nextAt };
  const unreachable = reason !== undefined && withoutAddress.has(reason);
  if (unreachable && !hasOtherAddress(one)) return { action: 'add-address' };
  const state = invitationState(one);
  const open = state === 'unsent' || state === 'issued' || state === 'opened';
  if (open && run?.stopped === undefined && run?.nextAt !== undefined)
    return { action: 'remind', at: run.nextAt };
  if (unreachable) return { action: 'invite-again' };
  if (reason !== undefined && answeredNo.has(reason)) return { action: 'contact' };
  // A customer who could not finish gets no more reminders; one whose consent was refused may not have been told.
  if (reason === 'consent-failed' && (run?.stopped !== undefined || one.hindrance?.kind === 'refused'))
    return { action: 'contact' };
  if (open) return { action: 'consent', at: invitation?.expiresAt };
  return { action: state === 'none' ? 'invite' : 'invite-again' };
}

const remedies: Partial<Readonly<Record<StuckReason, NextAction>>> = {
  'grant-unresolved': 'renew',
  'grant-expiring': 'renew',
  'calls-fail': 'look-at-calls',
  flagged: 'look-at-watch',
  'no-api-key': 'give-api-key',
  unlearned: 'import-numbers',
};

function remedy({ grant }: Case, reason: StuckReason | undefined): Next | undefined {
  const action = reason === undefined ? undefined : remedies[reason];
  return action && { action, at: action === 'renew' ? grant?.nextAt : undefined };
}
