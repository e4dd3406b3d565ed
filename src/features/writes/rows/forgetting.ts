import type { Engine } from '../../../db/engine.ts';
import { inOrder } from '../../../db/row.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import { expireWrites } from '../../../mapping/crosswalk/complete-kinds.ts';
import type { WriteRepository } from '../model.ts';
import { isIn } from './write-queries.ts';

/** See `WriteRepository`. */
export async function forget(
  { db, rowLocks }: Engine,
  { answers, writes, now }: Parameters<WriteRepository['forget']>[0],
): Promise<number> {
  const ids = db.selectFrom('writes').select('id');
  // Another instance's clock may be a little ahead. Only the young ones are read: untold_at has no index.
  const ahead = ids.where('created_at', '>=', answers).where('untold_at', '>', now + MINUTE);
  await db
    .updateTable('writes')
    .set({ untold_at: now })
    .where('id', 'in', inOrder(ahead, rowLocks))
    .execute();
  const old = ids
    .where('created_at', '<', answers)
    .where((eb) => eb.or([eb('answer_sealed', 'is not', null), eb('idempotency', 'is not', null)]));
  await db
    .updateTable('writes')
    .set({ answer_sealed: null, idempotency: null })
    .where('id', 'in', inOrder(old, rowLocks))
    .execute();
  return db.transaction().execute(async (trx) => {
    await expireWrites(trx, writes);
    const over = trx
      .selectFrom('writes')
      .select('id')
      .where('created_at', '<', writes)
      .where('state', 'not in', ['open', 'unknown'])
      .where((eb) => eb.not(isIn(eb, 'undecidable')));
    const { numDeletedRows } = await trx
      .deleteFrom('writes')
      .where('id', 'in', inOrder(over, rowLocks))
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}
