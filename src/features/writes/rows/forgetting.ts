import type { Kysely } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import { expireWrites } from '../../../mapping/crosswalk/complete-kinds.ts';
import type { WriteRepository } from '../model.ts';
import { isIn } from './write-queries.ts';

/** See `WriteRepository`. */
export async function forget(
  db: Kysely<Tables>,
  { answers, writes, now }: Parameters<WriteRepository['forget']>[0],
): Promise<number> {
  // Another instance's clock may be a little ahead. Only the young ones are read: untold_at has no index.
  await db
    .updateTable('writes')
    .set({ untold_at: now })
    .where('created_at', '>=', answers)
    .where('untold_at', '>', now + MINUTE)
    .execute();
  await db
    .updateTable('writes')
    .set({ answer_sealed: null, idempotency: null })
    .where('created_at', '<', answers)
    .where((eb) => eb.or([eb('answer_sealed', 'is not', null), eb('idempotency', 'is not', null)]))
    .execute();
  return db.transaction().execute(async (trx) => {
    await expireWrites(trx, writes);
    const { numDeletedRows } = await trx
      .deleteFrom('writes')
      .where('created_at', '<', writes)
      .where('state', 'not in', ['open', 'unknown'])
      .where((eb) => eb.not(isIn(eb, 'undecidable')))
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
