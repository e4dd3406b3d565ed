import { sql, type RawBuilder } from 'kysely';
import { MINUTE } from '../lib/time/clock.ts';

/**
 * Whether the wait until the time in a column is over. A time further ahead than `longest` milliseconds, the longest
 * wait ever set, dates from before the clock was set back: a machine may have started with a wrong time. A minute more,
 * because the clock of another instance may be a little ahead.
 */
export function isOver(
  column: string,
  now: number | RawBuilder<number>,
  longest: number,
): RawBuilder<boolean> {
  const most = longest + MINUTE;
  const [at, furthest] =
    typeof now === 'number' ? [sql.val(now), sql.val(now + most)] : [now, sql`${now} + ${sql.val(most)}`];
  return sql<boolean>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${furthest})`;
}
