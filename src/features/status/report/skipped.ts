/** Accounts that an invitation to a group, or to all, leaves alone: somebody has to want exactly them. */
import type { StopReason } from '../../campaign/outbox.ts';
import { stuckReasons } from '../codes.ts';
import type { ReportedAccount } from '../model.ts';
import { DECLINED_SINCE } from './judge.ts';
import type { Wanted } from './filters.ts';

/** Why, with the filters that name the reason. An account chosen by its name is never left alone for it. */
const namedBy = {
  declined: { reason: ['declined'], invitation: ['declined'], next: ['contact'] },
  everyReminder: { reason: ['no-answer', 'consent-failed', 'expired'], next: ['contact', 'invite-again'] },
  linkMade: { invitation: ['issued', 'opened'], next: ['consent'] },
  inWave: { reason: ['wave-stopped'], next: ['wave-invites', 'decide-wave'] },
} as const satisfies Readonly<Record<string, Wanted>>;
/** A key of `namedBy`. */
export type SkippedReason = keyof typeof namedBy;
/** All of them, in order. */
export const skippedReasons = Object.keys(namedBy) as readonly SkippedReason[];

/** Why the reminders of accounts have ended, by id. */
export type Ended = ReadonlyMap<string, StopReason | undefined>;

/** The accounts that are left alone, by id. `choices`: the filters that chose them, of a saved group too. */
export function skippedIn(
  accounts: readonly ReportedAccount[],
  choices: readonly Wanted[],
  ended: Ended,
): ReadonlyMap<string, SkippedReason> {
  return new Map(
    accounts.flatMap((account) => {
      const reason = reasonOf(account, ended.get(account.id));
      return reason !== undefined && isUnnamed(choices, reason) ? [[account.id, reason] as const] : [];
    }),
  );
}

/** Whether none of these filters names the reason. */
export const isUnnamed = (choices: readonly Wanted[], reason: SkippedReason): boolean =>
  !choices.some((wanted) => names(wanted, reason));

function reasonOf(account: ReportedAccount, ended: StopReason | undefined): SkippedReason | undefined {
  const action = account.next?.action;
  if (action === 'wave-invites' || action === 'decide-wave') return 'inWave';
  if (action === 'invite-again') return hasLetExpire(account, ended) ? 'everyReminder' : undefined;
  // As waves and the count of those ready do: a link that was passed on is an invitation.
  if (action === 'consent') return account.mail === 'none' ? 'linkMade' : undefined;
  return action === 'contact' ? reasonOfSilent(account, ended) : undefined;
}

function reasonOfSilent(account: ReportedAccount, ended: StopReason | undefined): SkippedReason | undefined {
  if (hasDeclined(account)) return 'declined';
  // The campaign itself refuses whoever unsubscribed, and says so.
  return ended === 'done' && account.mail !== 'unsubscribed' ? 'everyReminder' : undefined;
}

/** The detail has it where V1 refuses the keys, or where the last consent has ended. */
const hasDeclined = ({ stuck, invitation }: ReportedAccount): boolean =>
  invitation.state === 'declined' ||
  stuck?.reason === 'declined' ||
  [stuckReasons.declined, DECLINED_SINCE].includes(stuck?.detail ?? '');

/** Their last link has expired since; a run ends as `expired` if no link is left for its next reminder. */
function hasLetExpire(
  { stuck, invitation, reminders, mail }: ReportedAccount,
  ended: StopReason | undefined,
): boolean {
  // Beside the end of a consent, only the invitation has it.
  const isExpired =
    stuck?.reason === 'expired' ||
    stuck?.detail === stuckReasons.expired ||
    (stuck?.reason === 'grant-lost' && invitation.state === 'expired');
  return isExpired && reminders > 0 && mail !== 'unsubscribed' && (ended === 'done' || ended === 'expired');
}

function names(wanted: Wanted, reason: SkippedReason): boolean {
  if (reason === 'inWave' && (wanted.wave ?? []).length > 0) return true;
  const naming: Wanted = namedBy[reason];
  return (['reason', 'next', 'invitation'] as const).some((filter) =>
    wanted[filter]?.some((value) => naming[filter]?.includes(value.toLowerCase())),
  );
}
