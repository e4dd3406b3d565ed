/** The days of the reminders, and what changes for the customer if a message leaves late. */
import { DAY, HOUR } from '../../../lib/time/clock.ts';
import type { Invitation } from '../../accounts/invitation.ts';
import type { CampaignFacts } from '../model.ts';
import { isReport, type Message, type MessageKind, type Run, type StopReason } from '../outbox.ts';

interface Days {
  /** After the first message, ascending. */
  readonly reminderDays: readonly number[];
}

type Onward =
  | { readonly state: 'running'; readonly nextAt: number }
  | { readonly state: 'stopped'; readonly reason: StopReason; readonly at: number };

/**
 * The first day that has not passed: after a long outage a customer is reminded once, not for every missed
 * day.
 */
export function onward(
  { beganAt }: { readonly beganAt: number },
  { reminderDays }: Days,
  now: number,
): Onward {
  const next = reminderDays.map((day) => beganAt + day * DAY).find((at) => at > now);
  return next === undefined
    ? { state: 'stopped', reason: 'done', at: now }
    : { state: 'running', nextAt: next };
}

/** How much later than planned a message leaves without a consequence. */
const PUNCTUAL = HOUR;

/** What a message that leaves late changes. */
export interface Renewal {
  /** Its invitation begins, and is valid, from now on. */
  readonly invitationId: string;
  readonly run: Run | undefined;
}

/**
 * A message that leaves late, because its wave was stopped, the mail server was down, or it waited for the sending hours:
 * its link is valid for the usual time, and the next reminder comes as long after it as after one that left at once.
 */
export function planRenewal(
  { run, invitations }: CampaignFacts,
  { kind, invitationId }: Message,
  schedule: Days,
  now: number,
): Renewal | undefined {
  const invitation = invitations.find(({ id }) => id === invitationId);
  if (isReport(kind) || invitation === undefined || invitation.issuedAt > now - PUNCTUAL) return undefined;
  return { invitationId, run: run?.state === 'running' ? lateRun(run, kind, schedule, now) : undefined };
}

function lateRun(
  run: Extract<Run, { readonly state: 'running' }>,
  kind: MessageKind,
  schedule: Days,
  now: number,
): Run {
  // An invitation on the day of a reminder replaces an abandoned one: an address that never answers gets an end.
  if ((kind !== 'invitation' && kind !== 'lost') || run.reminders > 0)
    return { ...run, nextAt: Math.max(run.nextAt, now + DAY) };
  const { accountId, cause, reminders } = run;
  const begun = { accountId, cause, reminders, beganAt: now };
  return { ...begun, ...onward(begun, schedule, now) };
}

/**
 * Whether it was declined in a run of the campaign that began then. A link may be older than the run, which begins when
 * its message leaves, and be declined later.
 */
export const isDeclinedSince = ({ state, issuedAt, stateSince = 0 }: Invitation, began: number): boolean =>
  state === 'declined' && Math.max(issuedAt, stateSince) >= began;
