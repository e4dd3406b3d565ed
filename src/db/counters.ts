import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * `feed`, `audit`: the last number used. `routes`: the version. `deliveries`: the position up to which the
 * feed has been read. `texts`: the last change. `numbers`: the lowest that may be assigned from now on.
 */
export type CounterName =
  'feed' | 'audit' | 'routes' | 'deliveries' | `deliveries:${string}` | 'texts' | 'numbers';

/**
 * Returns the next number. Its row stays locked until the transaction ends, so that numbers become visible in
 * order. The caller must take no other lock afterwards, or two transactions could deadlock.
 */
export async function raise(trx: Transaction<Tables>, name: CounterName): Promise<number> {
  const row = await trx
    .insertInto('counters')
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((update) => ({ value: update('counters.value', '+', 1) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

/** Undefined if nothing has been counted under this name yet. */
export async function counterOf(db: Kysely<Tables>, name: CounterName): Promise<number | undefined> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
