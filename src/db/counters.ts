import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** `feed`, `audit`: the last number given. `routes`: the version. `deliveries`: how far the feed has been read. */
export type CounterName = 'feed' | 'audit' | 'routes' | 'deliveries';

/**
 * The next number. The row stays locked until the transaction ends, so that numbers become visible in their order: who
 * calls this takes no other lock afterwards, or two transactions could wait for each other.
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

/** undefined: nothing was counted under this name yet. */
export async function counterOf(db: Kysely<Tables>, name: CounterName): Promise<number | undefined> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
