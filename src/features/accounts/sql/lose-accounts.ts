import type { Transaction } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { LossReason } from '../../../tokens/grant.ts';
import { isKnownStage, lose } from '../account.ts';
import { lifeOf } from './account-row.ts';
import type { AccountRow } from './tables.ts';
import { enter } from './timeline.ts';

/** The accounts that use a grant, locked after the grant itself: two writers with the same order cannot deadlock. */
export const lockedHolders = (
  trx: Transaction<Tables>,
  rowLocks: boolean,
  grantId: string,
): Promise<readonly AccountRow[]> =>
  trx
    .selectFrom('accounts')
    .selectAll()
    .where('grant_id', '=', grantId)
    .where('stage', '!=', 'lost')
    .orderBy('id')
    .$if(rowLocks, (query) => query.forUpdate())
    .execute();

/** Marks the accounts of a lost grant, in the transaction that records the loss. */
export async function loseAccounts(
  trx: Transaction<Tables>,
  rowLocks: boolean,
  grantId: string,
  reason: LossReason,
  now: number,
): Promise<void> {
  const rows = await lockedHolders(trx, rowLocks, grantId);
  const event = { at: now, kind: 'lost', actor: 'bridge', detail: `the grant was lost: ${reason}` };
  // The effect of the loss at a later version's stage is not known here.
  for (const row of rows.filter(isKnownStage)) await enter(trx, row, lose(lifeOf(row), reason), event);
}
