/** How long hourly counts of calls are kept, and those of the week before a move beyond that. */
import { sql, type RawBuilder } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import { HOURS_KEPT_DAYS, MOVE_COMPARED_DAYS } from './call-log.ts';

const COMPARED = MOVE_COMPARED_DAYS * DAY;

/** The hour with which the week before the move of an account begins. */
export const FIRST_HOUR_BEFORE_MOVE = sql<number>`(stage_since - stage_since % ${HOUR} - ${COMPARED})`;

/** Accounts whose calls are compared with those before their move. */
export const hasJustMoved = (now: number): RawBuilder<boolean> =>
  sql<boolean>`(stage = 'migrated' and stage_since > ${now - COMPARED})`;

/**
 * Deletes hourly counts that are too old. Those of V1 in the week before a move are first added to its first hour, which
 * is kept while the account is compared with them: an hour for each of 10,000 accounts instead of two hundred.
 */
export async function forgetHours({ db, rowLocks }: Engine, now: number): Promise<void> {
  const limit = now - HOURS_KEPT_DAYS * DAY;
  const added = sql`call_hours inner join accounts on id = account_id
    where hour < ${limit} and source = 'v1' and ${hasJustMoved(now)}
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
      where hour < ${limit} and not (source = 'v1' and exists (
        select 1 from accounts where id = account_id and ${hasJustMoved(now)} and hour = ${FIRST_HOUR_BEFORE_MOVE}
      ))
    `.execute(trx);
  });
}
