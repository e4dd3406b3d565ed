import type { Trx } from '../../../db/tables.ts';

/** What may have changed since the account was chosen; looked at again under its lock, before anything is queued. */
export interface InvitationGuard {
  /** Whether its wave still invites. */
  readonly isOut?: (trx: Trx) => Promise<boolean>;
}
