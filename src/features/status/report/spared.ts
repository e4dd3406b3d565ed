/** Accounts that an invitation to a group, or to all, leaves alone: somebody has to want exactly them. */
import { stuckReasons } from '../codes.ts';
import type { ReportedAccount } from '../model.ts';
import type { Wanted } from './filters.ts';

/** Why, with the filters that name the reason. An account chosen by its name is never left alone for it. */
const namedBy = {
  declined: { reason: ['declined'], invitation: ['declined'], next: ['contact'] },
  everyReminder: { reason: ['no-answer', 'consent-failed'], next: ['contact'] },
  inWave: { reason: ['wave-stopped'], next: ['wave-invites', 'decide-wave'] },
} as const satisfies Readonly<Record<string, Wanted>>;
/** A key of `namedBy`. */
export type SparedReason = keyof typeof namedBy;
/** All of them, in order. */
export const sparedReasons = Object.keys(namedBy) as readonly SparedReason[];

/** The accounts that are left alone, by id. `choices`: the filters that chose them, of a saved group too. */
export function sparedIn(
  accounts: readonly ReportedAccount[],
  choices: readonly Wanted[],
): ReadonlyMap<string, SparedReason> {
  return new Map(
    accounts.flatMap((account) => {
      const reason = reasonOf(account);
      return reason === undefined || choices.some((wanted) => names(wanted, reason))
        ? []
        : [[account.id, reason] as const];
    }),
  );
}

function reasonOf({ stuck, next, invitation }: ReportedAccount): SparedReason | undefined {
  if (next?.action === 'wave-invites' || next?.action === 'decide-wave') return 'inWave';
  // Whoever unsubscribed gets no e-mail at that address anyway.
  if (next?.action !== 'contact' || stuck?.reason === 'unsubscribed') return undefined;
  // The detail has it where V1 refuses the keys, too.
  const hasDeclined =
    invitation.state === 'declined' ||
    stuck?.reason === 'declined' ||
    stuck?.detail === stuckReasons.declined;
  return hasDeclined ? 'declined' : 'everyReminder';
}

function names(wanted: Wanted, reason: SparedReason): boolean {
  if (reason === 'inWave' && (wanted.wave ?? []).length > 0) return true;
  const naming: Wanted = namedBy[reason];
  return (['reason', 'next', 'invitation'] as const).some((filter) =>
    wanted[filter]?.some((value) => naming[filter]?.includes(value.toLowerCase())),
  );
}
