/** How long hourly counts of calls are kept, and those of the week before a move beyond that. */
import { sql, type RawBuilder } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { HOURS_KEPT_DAYS, MOVE_COMPARED_DAYS } from './call-log.ts';
import type { CallHourRow } from './tables.ts';

const COMPARED = MOVE_COMPARED_DAYS * DAY;

/** The hour with which the week before the move of an account begins. */
export const FIRST_HOUR_BEFORE_MOVE = sql<number>`(stage_since - stage_since % ${HOUR} - ${COMPARED})`;

/** Accounts whose calls are compared with those before their move. */
export const hasJustMoved = (now: number): RawBuilder<boolean> =>
  sql<boolean>`(stage = 'migrated' and stage_since > ${now - COMPARED})`;

/** Rows of one transaction: about ten milliseconds of SQLite, during which the process does nothing else. */
const PORTION = 1_000;

/** A row's place in the order in which they are deleted. */
type Place = Pick<CallHourRow, 'hour' | 'account_id' | 'source'>;

/**
 * Deletes hourly counts that are too old. Those of V1 in the week before a move are first added to its first hour, which
 * is kept while the account is compared with them: an hour for each of 10,000 accounts instead of two hundred.
 */
export async function forgetHours(engine: Engine, now: number): Promise<void> {
  const pause = engine.pauses();
  const limit = now - HOURS_KEPT_DAYS * DAY;
  for (let after: Place | undefined; ;) {
    const last = await endOfPortion(engine, limit, after);
    await forgetPortion(engine, now, between(after, last ?? limit));
    if (last === undefined) return;
    after = last;
    await pause();
    await nextTurn();
  }
}

/** Undefined if fewer rows than a portion are left. */
function endOfPortion({ db }: Engine, limit: number, after: Place | undefined): Promise<Place | undefined> {
  return db
    .selectFrom('call_hours')
    .select(['hour', 'account_id', 'source'])
    .where(between(after, limit))
    .orderBy('hour')
    .orderBy('account_id')
    .orderBy('source')
    .limit(1)
    .offset(PORTION - 1)
    .executeTakeFirst();
}

/** One bound at each end: of two, SQLite may use the wider one and read all rows again for each portion. */
function between(after: Place | undefined, last: Place | number): RawBuilder<boolean> {
  const row = ({ hour, account_id: id, source }: Place): RawBuilder<unknown> =>
    sql`(${hour}, ${id}, ${source})`;
  const above = after === undefined ? sql`1 = 1` : sql`(hour, account_id, source) > ${row(after)}`;
  const below =
    typeof last === 'number' ? sql`hour < ${last}` : sql`(hour, account_id, source) <= ${row(last)}`;
  return sql<boolean>`${above} and ${below}`;
}

async function forgetPortion(
  { db, rowLocks }: Engine,
  now: number,
  isOfPortion: RawBuilder<boolean>,
): Promise<void> {
  // SQLite reads the first table of a cross join first: few rows of the portion rather than all accounts.
  const added = sql`call_hours cross join accounts
    where id = account_id and ${isOfPortion} and source = 'v1' and ${hasJustMoved(now)}
      and hour > ${FIRST_HOUR_BEFORE_MOVE} and hour <= stage_since - ${HOUR}`;
  await db.transaction().execute(async (trx) => {
    // Another instance that does the same waits here, and then finds none of these hours.
    if (rowLocks)
      await sql`select 1 from ${added} order by account_id, hour for update of call_hours`.execute(trx);
    await sql`
      insert into call_hours (hour, account_id, source, calls, errors, of_call)
      select ${FIRST_HOUR_BEFORE_MOVE}, id, 'v1', sum(calls), sum(errors), sum(of_call)
      from ${added}
      group by id
      on conflict (hour, account_id, source) do update set calls = call_hours.calls + excluded.calls,
        errors = call_hours.errors + excluded.errors, of_call = call_hours.of_call + excluded.of_call
    `.execute(trx);
    await sql`
      delete from call_hours
      where ${isOfPortion} and not (source = 'v1' and exists (
        select 1 from accounts where id = account_id and ${hasJustMoved(now)} and hour = ${FIRST_HOUR_BEFORE_MOVE}
      ))
    `.execute(trx);
  });
}
