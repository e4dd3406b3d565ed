import { sql, type Transaction } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import { chunks } from '../../../db/row.ts';
import type { Tables } from '../../../db/tables.ts';

/** Rows per statement: SQLite blocks the event loop meanwhile. */
const AT_ONCE = 100;

/** Stores when each account last called; the time never decreases. */
export async function writeLastCalls(
  trx: Transaction<Tables>,
  { rowLocks }: Pick<Engine, 'rowLocks'>,
  calls: ReadonlyMap<string, number>,
): Promise<void> {
  const last = [...calls].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const some of chunks(last, AT_ONCE)) {
    // In order of id, so that two processes that write at once cannot deadlock.
    if (rowLocks)
      await trx
        .selectFrom('accounts')
        .select('id')
        .where(
          'id',
          'in',
          some.map(([id]) => id),
        )
        .orderBy('id')
        .forUpdate()
        .execute();
    const rows = sql.join(some.map(([id, at]) => sql`(${id}, ${at})`));
    await trx
      .updateTable('accounts')
      .from(
        sql<{
          id: string;
          at: number;
        }>`(select column1 as id, cast(column2 as bigint) as at from (values ${rows}) as listed)`.as('seen'),
      )
      .set({ last_call_at: sql<number>`seen.at` })
      .where(sql<boolean>`accounts.id = seen.id and coalesce(accounts.last_call_at, 0) < seen.at`)
      .execute();
  }
}
