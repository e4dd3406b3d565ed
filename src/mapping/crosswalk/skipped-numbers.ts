/**
 * Leaves out numbers in an earlier state of the database. What it lacks may have been assigned already, and a program
 * that holds such a number would change another record with it.
 */
import { sql } from 'kysely';
import { counterOf } from '../../db/counters.ts';
import type { Trx } from '../../db/tables.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import { FIRST_ALLOTTED } from './identifier.ts';

/** Numbers that are left out of each kind. */
const GAP = 1_000_000;
/** Nothing is left out above it, so that numbers do not run out. */
const HIGHEST = 2_100_000_000;
/** The lowest number rises with time, so that a backup that is restored twice repeats none. */
const PER_MINUTE = 20;
const FROM = Date.UTC(2026, 0, 1);

/** The counter `numbers`, if numbers were left out at this time. */
const leastNumberAt = (time: number): number =>
  Math.min(HIGHEST, FIRST_ALLOTTED + GAP + Math.max(0, Math.floor((time - FROM) / MINUTE)) * PER_MINUTE);

/** The statements that leave out numbers. */
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

/** `unlessSince`: nothing is left out if that was done after this time, by whichever process. */
export async function skipNumbers(trx: Trx, now: number, unlessSince?: number): Promise<void> {
  const least = unlessSince === undefined ? undefined : await counterOf(trx, 'numbers');
  // At the same minute the numbers may have been left out before the state was copied.
  if (least !== undefined && least > leastNumberAt(unlessSince ?? now)) return;
  for (const statement of skippingNumbers(now)) await sql.raw(statement).execute(trx);
}
