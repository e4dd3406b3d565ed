import { sql, type RawBuilder } from 'kysely';

/**
 * Whether the wait until the time in a column is over. A time further ahead than `longest` milliseconds, the longest
 * wait ever set, dates from before the clock was set back: a machine may have started with a wrong time.
 */
export function isOver(
  column: string,
  now: number | RawBuilder<number>,
  longest: number,
): RawBuilder<boolean> {
  const [at, furthest] =
    typeof now === 'number'
      ? [sql.val(now), sql.val(now + longest)]
      : [now, sql`${now} + ${sql.val(longest)}`];
  return sql<boolean>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${furthest})`;
}
