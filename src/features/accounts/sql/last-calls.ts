import { sql } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import { chunks } from '../../../db/row.ts';

/**
 * When each account last called; never set back. In order of id, so that two processes writing at once cannot
 * deadlock.
 */
export async function writeLastCalls({ db }: Engine, calls: ReadonlyMap<string, number>): Promise<void> {
  const sorted = [...calls].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const some of chunks(sorted))
    await db.transaction().execute(async (trx) => {
      for (const [id, at] of some)
        await trx
          .updateTable('accounts')
          .set({ last_call_at: at })
          .where('id', '=', id)
          .where(sql<boolean>`coalesce(last_call_at, 0) < ${at}`)
          .execute();
    });
}
