import type { Trx } from '../../../db/tables.ts';
import type { CampaignFacts } from '../model.ts';
import { isDeclinedSince } from '../schedule/renewal.ts';

/** What may have changed since the account was chosen; looked at again under its lock, before anything is queued. */
export interface InvitationGuard {
  /** Whether its wave still invites. */
  readonly isOut?: ((trx: Trx) => Promise<boolean>) | undefined;
  /** Whether a customer who has declined is left alone: nobody asked for exactly those who have. */
  readonly sparesDeclined?: boolean;
}

/** Who asks, and whether only for a forecast. */
export interface Asking extends InvitationGuard {
  readonly actor: string;
  readonly dry: boolean;
}

/** Whether the customer has declined, and was not asked again since. What was before the present stage is over. */
export function isDeclined({ account, run, invitations }: CampaignFacts): boolean {
  const ended = run?.state === 'stopped' ? run : undefined;
  if (ended?.reason === 'declined') return ended.at >= account.stageSince;
  const since = Math.max(account.stageSince, ended?.at ?? run?.beganAt ?? 0);
  return invitations.some((one) => isDeclinedSince(one, since));
}
