import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../db/tables.ts';

/**
 * When each account last called; never set back. In order of id, so that two processes writing at once cannot
 * deadlock.
 */
export async function writeLastCalls(
  trx: Transaction<Tables>,
  calls: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, at] of [...calls].sort(([a], [b]) => (a < b ? -1 : 1)))
    await trx
      .updateTable('accounts')
      .set({ last_call_at: at })
      .where('id', '=', id)
      .where(sql<boolean>`coalesce(last_call_at, 0) < ${at}`)
      .execute();
}
