/**
 * Decides the campaign's next step for one account, as pure functions of everything known about it (`CampaignFacts`)
 * and the time: no store, no mail, no clock of its own.
 *
 * `planInvitation` and `planReminder` answer an operator, `planStep` the schedule, `planLoss` the loss of a grant; the
 * page of an expired link is left to `plan-fresh.ts`, new connections to `plan-notice.ts`. Each returns what to write, or
 * why nothing is written. `hindrance` holds the rules they share: closed and connected accounts, accounts without an
 * address, and addresses that unsubscribed or were refused get nothing. No customer gets a second message before the
 * first has left, or more than three reminders a day.
 */
import { isKnownStage, type Account } from '../accounts/account.ts';
import type { CampaignFacts } from './model.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import type { Invitation } from '../accounts/invitation.ts';
import type { LeaveReason } from './asking/leave-reason.ts';
import { hasDeclined, isAbandoned, isUnmailed, isUnwritten } from './schedule/unwritten.ts';
import { isDeclinedSince, onward } from './schedule/renewal.ts';
import { isReport, type Message, type MessageKind, type Run, type StopReason } from './outbox.ts';

/** How long links are valid, and on which days after the first message a customer is reminded. */
export interface Schedule {
  /** In milliseconds. */
  readonly life: number;
  /** Ascending. */
  readonly reminderDays: readonly number[];
}

/** A message to be written. */
export interface Writing {
  readonly outcome: 'write';
  readonly kind: MessageKind;
  readonly to: string;
  readonly reminder: number | undefined;
  /** The account's run afterwards; undefined leaves it unchanged. */
  readonly run: Run | undefined;
  /** Reason for withdrawing the waiting messages that this one replaces. */
  readonly recall?: string;
  /** When the run begins, which is also the start of its links' lifetime, if later than now. */
  readonly startsAt?: number;
}

/** The message for an account, or why none is written. */
export type Plan = Writing | { readonly outcome: 'leave'; readonly reason: LeaveReason };

/** Nothing is written. */
export const leave = (reason: LeaveReason): Plan => ({ outcome: 'leave', reason });

/** Whether a consent is needed. */
export const isInNeed = ({ life }: Account): boolean => life.stage === 'legacy' || life.stage === 'lost';

const hasLeft = ({ fate }: Message): boolean => !['queued', 'failed', 'sending'].includes(fate.state);
/** Reports request nothing, so they do not count. */
const hasWaiting = ({ messages }: CampaignFacts): boolean =>
  messages.some((message) => !isReport(message.kind) && !hasLeft(message));

/** Whether the invitation may still be answered, until it expires; a customer who declined may reconsider. */
export const isUnanswered = ({ state }: Invitation): boolean =>
  state === 'issued' || state === 'opened' || state === 'declined';

/** Whether the invitation's link still works. */
export const isOpen = (invitation: Invitation, now: number): boolean =>
  invitation.expiresAt > now && isUnanswered(invitation);

/** The obstacles to any message. */
export function hindrance({ account, details, suppression }: CampaignFacts): LeaveReason | undefined {
  if (account.life.stage === 'closed') return 'closed';
  if (account.life.stage === 'awaiting-operator') return 'awaiting';
  if (!isKnownStage(account.life)) return 'laterStage';
  if (!isInNeed(account)) return 'connected';
  if (details.email === undefined) return 'noAddress';
  return suppression?.reason;
}

/** The grant was lost: at `lost`, or before cut-over, when the account returns to `legacy`. */
function lostGrant({ account, invitations }: CampaignFacts): boolean {
  if (account.life.stage === 'lost') return true;
  return account.life.stage === 'legacy' && invitations.some(({ state }) => state === 'accepted');
}

/**
 * Before the cut-over, V1 may go on serving the programs: then the customer is asked for an approval, not told of a
 * failure.
 */
const hasStopped = (facts: CampaignFacts): boolean =>
  facts.account.life.stage === 'lost' || (facts.isRefusedByV1 && lostGrant(facts));

/** A run that begins now. */
export function freshRun(facts: CampaignFacts, schedule: Schedule, now: number): Run {
  const begun = {
    accountId: facts.account.id,
    cause: lostGrant(facts) ? ('lost' as const) : ('invited' as const),
    beganAt: now,
    reminders: 0,
  };
  return { ...begun, ...onward(begun, schedule, now) };
}

/**
 * The operator invites. An account that has a run gets no second message. `startOf`: returns when the message may
 * leave.
 */
export function planInvitation(
  facts: CampaignFacts,
  schedule: Schedule,
  now: number,
  startOf: (kind: MessageKind) => number,
): Plan {
  const held = hindrance(facts);
  if (held !== undefined) return leave(held);
  if (hasWaiting(facts)) return leave('waiting');
  if (facts.run?.state === 'running' && !isUnwritten(facts, now)) return leave('underWay');
  const kind = firstKind(facts);
  if (wasJustInvited(facts, kind, now)) return leave('underWay');
  return first(facts, schedule, startOf(kind));
}

const firstKind = (facts: CampaignFacts): MessageKind => (hasStopped(facts) ? 'lost' : 'invitation');
const first = (facts: CampaignFacts, schedule: Schedule, startsAt: number): Writing => ({
  outcome: 'write',
  kind: firstKind(facts),
  to: facts.details.email ?? '',
  reminder: undefined,
  run: freshRun(facts, schedule, startsAt),
  startsAt,
});

/** Without reminders a run is over at once: its command given twice is not a second invitation. */
const wasJustInvited = ({ run, messages, details }: CampaignFacts, kind: MessageKind, now: number): boolean =>
  (run?.state === 'stopped' ? run.reason : '') === 'done' &&
  messages.some((one) => one.kind === kind && one.to === details.email && wasSentSince(one, now - DAY));
const wasSentSince = ({ fate }: Message, since: number): boolean => fate.state === 'sent' && fate.at > since;

const REMINDERS: readonly MessageKind[] = ['reminder', 'lost-reminder'];

function reminder(facts: CampaignFacts, run: Run | undefined, schedule: Schedule, now: number): Writing {
  const anew = first(facts, schedule, now);
  if (isUnwritten(facts, now)) return anew;
  if (isUnmailed(facts)) return { ...anew, run: run ?? (hasDeclined(facts) ? undefined : anew.run) };
  if (isAbandoned(facts)) return { ...anew, run };
  const since = facts.run?.beganAt ?? 0;
  const before = facts.messages.filter(({ kind, queuedAt }) => REMINDERS.includes(kind) && queuedAt >= since);
  const kind = hasStopped(facts) ? 'lost-reminder' : 'reminder';
  return { ...anew, kind, reminder: before.length + 1, run };
}

/** The operator reminds, outside the schedule. */
export function planReminder(facts: CampaignFacts, schedule: Schedule, now: number): Plan {
  const held = hindrance(facts);
  if (held !== undefined) return leave(held);
  const { run, invitations } = facts;
  if (run?.state === 'stopped' && run.reason === 'withdrawn') return leave('withdrawn');
  if (invitations.length === 0) return leave('notInvited');
  if (hasWaiting(facts)) return leave('waiting');
  if (wasReminded(facts, now)) return leave('reminded');
  if (wasRemindedOften(facts, now)) return leave('remindedOften');
  return reminder(facts, remindedRun(facts, schedule, now), schedule, now);
}

/**
 * The schedule's next reminder comes at least a day later. A run that a dead address has ended begins again with the
 * first message to a working address, even if its last e-mail came back after it was over.
 */
function remindedRun(facts: CampaignFacts, schedule: Schedule, now: number): Run | undefined {
  const { run } = facts;
  if (run?.state === 'running') return { ...run, nextAt: Math.max(run.nextAt, now + DAY) };
  const isAnew = run?.reason === 'refused' || (run?.reason === 'done' && hasCameBack(facts));
  return isAnew ? freshRun(facts, schedule, now) : undefined;
}

const hasCameBack = ({ messages }: CampaignFacts): boolean =>
  messages.findLast(({ kind }) => !isReport(kind))?.isToDead === true;

/** A command given twice, or a reloaded page, is not a second reminder. */
const wasReminded = ({ messages }: CampaignFacts, now: number): boolean =>
  messages.some((one) => one.reminder !== undefined && wasSentSince(one, now - HOUR));

/** A customer who ignores three messages in a day will ignore a fourth, and find it a nuisance. */
const REMINDERS_PER_DAY = 3;
const wasRemindedOften = ({ messages }: CampaignFacts, now: number): boolean =>
  messages.filter(
    ({ reminder: count, fate, queuedAt }) =>
      count !== undefined && fate.state !== 'withdrawn' && queuedAt > now - DAY,
  ).length >= REMINDERS_PER_DAY;

/** Why the run of an account is over; undefined while it continues. */
export function stopReason(
  { account, run, invitations, suppression }: CampaignFacts,
  now: number,
): StopReason | undefined {
  if (account.life.stage === 'closed') return 'closed';
  if (!isInNeed(account)) return 'consented';
  if (suppression !== undefined) return suppression.reason;
  const since = run?.beganAt ?? 0;
  const mine = invitations.filter(({ issuedAt }) => issuedAt >= since);
  if (invitations.some((invitation) => isDeclinedSince(invitation, since))) return 'declined';
  return mine.some((invitation) => isOpen(invitation, now)) ? undefined : 'expired';
}

type Running = Extract<Run, { readonly state: 'running' }>;

/** The schedule's present step for an account. */
export type Step =
  | Writing
  | { readonly outcome: 'stop'; readonly run: Run; readonly reason: StopReason }
  /** Checked again later. */
  | { readonly outcome: 'postpone'; readonly run: Run }
  | { readonly outcome: 'rest' };

const stopped = ({ accountId, cause, beganAt, reminders }: Run, reason: StopReason, at: number): Run => ({
  accountId,
  cause,
  beganAt,
  reminders,
  state: 'stopped',
  reason,
  at,
});

/** The schedule's present step; at a stage of a later version, to check again later. */
export function planStep(facts: CampaignFacts, schedule: Schedule, now: number): Step {
  const { run, account } = facts;
  if (run?.state !== 'running') return { outcome: 'rest' };
  if (isKnownStage(account.life)) return runStep(facts, run, schedule, now);
  return run.nextAt > now ? { outcome: 'rest' } : postponed(run, now);
}

const postponed = (run: Running, now: number): Step => ({
  outcome: 'postpone',
  run: { ...run, nextAt: now + HOUR },
});

function runStep(facts: CampaignFacts, run: Running, schedule: Schedule, now: number): Step {
  const reason = stopReason(facts, now);
  // The link of a message that waits, for its wave or for a mail server, begins to count when the message leaves.
  if (reason !== undefined && !(reason === 'expired' && (hasWaiting(facts) || isUnwritten(facts, now))))
    return { outcome: 'stop', run: stopped(run, reason, now), reason };
  if (run.nextAt > now) return { outcome: 'rest' };
  // The previous message has not left yet, or there is currently no address.
  if (hasWaiting(facts) || facts.details.email === undefined) return postponed(run, now);
  const { accountId, cause, beganAt } = run;
  const begun = { accountId, cause, beganAt, reminders: run.reminders + 1 };
  return reminder(facts, { ...begun, ...onward(begun, schedule, now) }, schedule, now);
}

/**
 * Whether the customer was told of the present loss: a run for a loss has begun since, and no consent has ended it. The
 * run of an invitation says nothing: its start may lie ahead of the loss.
 */
const wasTold = (run: Run, { stageSince }: Account): boolean =>
  run.cause === 'lost' &&
  (run.state === 'running' || run.reason !== 'consented') &&
  run.beganAt >= stageSince;

/** A grant was lost and the customer has not been told since; `lostWithoutRun` finds these accounts. */
export function planLoss(facts: CampaignFacts, schedule: Schedule, now: number): Writing | undefined {
  const { account, run } = facts;
  if (!lostGrant(facts) || hindrance(facts) !== undefined) return undefined;
  if (run !== undefined && wasTold(run, account)) return undefined;
  return {
    ...first(facts, schedule, now),
    run: { ...freshRun(facts, schedule, now), cause: 'lost' },
    recall: 'the connection was lost in the meantime',
  };
}

/** The operator withdraws everything; undefined if there is nothing to withdraw. */
export function planWithdrawal(facts: CampaignFacts, now: number): Run | undefined {
  const { account, run, invitations } = facts;
  const open = invitations.some((invitation) => isOpen(invitation, now));
  if (!open && !hasWaiting(facts) && run?.state !== 'running') return undefined;
  const begun: Run = run ?? {
    accountId: account.id,
    cause: lostGrant(facts) ? 'lost' : 'invited',
    beganAt: now,
    reminders: 0,
    state: 'stopped',
    reason: 'withdrawn',
    at: now,
  };
  return stopped(begun, account.life.stage === 'closed' ? 'closed' : 'withdrawn', now);
}
