import type { Transaction } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { LossReason } from '../../../tokens/grant.ts';
import { lose } from '../account.ts';
import { lifeOf } from './account-row.ts';
import { enter } from './timeline.ts';

/** Marks the accounts of a lost grant, in the transaction that records the loss. */
export async function loseAccounts(
  trx: Transaction<Tables>,
  rowLocks: boolean,
  grantId: string,
  reason: LossReason,
  now: number,
): Promise<void> {
  const rows = await trx
    .selectFrom('accounts')
    .selectAll()
    .where('grant_id', '=', grantId)
    .orderBy('id')
    .$if(rowLocks, (query) => query.forUpdate())
    .execute();
  const event = { at: now, kind: 'lost', actor: 'bridge', detail: `the grant was lost: ${reason}` };
  for (const row of rows) await enter(trx, row, lose(lifeOf(row), reason), event);
}
