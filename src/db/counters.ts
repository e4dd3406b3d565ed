import type { Kysely, Transaction } from 'kysely';
import { MINUTE } from '../lib/time/clock.ts';
import type { Tables } from './tables.ts';

/**
 * `feed`, `audit`: the last number used. `routes`: the version. `deliveries`: the position up to which the
 * feed has been read. `texts`: the last change. `numbers`: the lowest that may be assigned
 * from now on.
 */
export type CounterName = 'feed' | 'audit' | 'routes' | 'deliveries' | 'texts' | 'numbers';

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

/** Numbers for records created after the move start here: above every V1 number, within 32 bits. */
export const FIRST_ALLOTTED = 1_500_000_000;
/** Numbers that are left out of each kind. */
const GAP = 1_000_000;
/** Nothing is left out above it, so that numbers do not run out. */
const HIGHEST = 2_100_000_000;
/** The lowest number rises with time, so that a backup that is restored twice repeats none. */
const PER_MINUTE = 20;
const FROM = Date.UTC(2026, 0, 1);

/** The counter `numbers`, if numbers were left out at this time. */
export const leastNumberAt = (time: number): number =>
  Math.min(HIGHEST, FIRST_ALLOTTED + GAP + Math.max(0, Math.floor((time - FROM) / MINUTE)) * PER_MINUTE);

/**
 * Statements that leave out numbers in an earlier state of the database. What it lacks may have been assigned
 * already, and a program that holds such a number would change another record with it.
 */
export function skippingNumbers(now: number): readonly string[] {
  const least = leastNumberAt(now);
  return [
    `update crosswalk_kinds set allotted_to =
       case when allotted_to + ${GAP} > ${least} then allotted_to + ${GAP} else ${least} end
     where allotted_to <= ${HIGHEST - GAP}`,
    `insert into counters (name, value) values ('numbers', ${least})
     on conflict (name) do update set value = excluded.value where counters.value < excluded.value`,
  ];
}
