/** The calls of the last 24 hours, summed by account. */
import { sql } from 'kysely';
import type { CallsLine } from '../report-rows.ts';
import type { Engine } from '../../../db/engine.ts';
import { chunks } from '../../../db/row.ts';
import { DAY, HOUR } from '../../../lib/time/clock.ts';
import { nextTurn } from '../../../lib/time/turn.ts';
import { FIRST_HOUR_BEFORE_MOVE, hasJustMoved } from '../../usage/forget-hours.ts';
import { usualLimit } from '../../usage/call-counts.ts';

type Sum = number | string; // PostgreSQL sums bigints to a numeric, which its driver returns as text

/** When the stage began; of an account that is lost, when it moved: its calls fail since. */
const SINCE = sql`coalesce(moved_at, stage_since)`;
/** In the hour in which the stage began, only answers of V3 and V2: the others may be from before. */
const SINCE_STAGE = sql`source != 'refused' and
  (hour >= ${SINCE} or (hour > ${SINCE} - ${HOUR} and source in ('v3', 'v2')))`;

/** Fewer calls of V1 do not show what is usual: programs that run monthly, or an account that V1 never knew. */
const FEWEST_BEFORE = 20;
/** Accounts per query: in SQLite calls wait for each. */
const AT_ONCE = 100;

/** In whole hours: the one that was running 24 hours ago counts from its beginning. */
export async function callLines(engine: Engine, now: number, only?: string): Promise<readonly CallsLine[]> {
  const rows = await engine.db
    .selectFrom('call_hours')
    .innerJoin('accounts', 'accounts.id', 'call_hours.account_id')
    .leftJoin(movesOfLost(engine, only).as('moves'), 'moves.moved_id', 'call_hours.account_id')
    .select([
      'call_hours.account_id',
      sql<Sum>`sum(case when source = 'refused' then 0 else calls end)`.as('calls'),
      sql<Sum>`sum(case when source = 'refused' then calls else 0 end)`.as('refused'),
      (query) => query.fn.sum<Sum>('errors').as('errors'),
      sql<Sum>`sum(case when source = 'v1' then calls else 0 end)`.as('v1_calls'),
      sql<Sum>`max(case when source = 'v1' then hour else 0 end)`.as('v1_hour'),
      sql<Sum>`sum(case when ${SINCE_STAGE} then calls else 0 end)`.as('stage_calls'),
      sql<Sum>`sum(case when ${SINCE_STAGE} then errors else 0 end)`.as('stage_errors'),
      sql<Sum>`sum(case when ${SINCE_STAGE} then of_call else 0 end)`.as('stage_of_call'),
    ])
    .where('hour', '>', now - DAY - HOUR)
    .$if(only !== undefined, (query) => query.where('call_hours.account_id', '=', only ?? ''))
    .groupBy('call_hours.account_id')
    .execute();
  const concerned = rows.filter((row) => Number(row.stage_of_call) > 0).map((row) => row.account_id);
  const usual = await usualShares(engine, now, concerned);
  return rows.map((row) => ({
    accountId: row.account_id,
    ...{ calls: Number(row.calls), errors: Number(row.errors), refused: Number(row.refused) },
    ...{ v1Calls: Number(row.v1_calls), v1Hour: Number(row.v1_hour) },
    sinceStage: {
      calls: Number(row.stage_calls),
      errors: Number(row.stage_errors) - excused(row, usual.get(row.account_id)),
    },
  }));
}

/** SQLite reads the first table of a cross join first: the few accounts that are lost rather than all moves. */
const movesOfLost = ({ db }: Engine, only?: string) =>
  db
    .selectFrom('accounts as lost')
    .crossJoin('account_events as move')
    .select(['lost.id as moved_id', (query) => query.fn.max('move.at').as('moved_at')])
    .where('lost.stage', '=', 'lost')
    .whereRef('move.account_id', '=', 'lost.id')
    .where('move.to_stage', '=', 'migrated')
    .$if(only !== undefined, (query) => query.where('lost.id', '=', only ?? ''))
    .groupBy('lost.id');

/**
 * Errors whose cause lies in the call itself. For an account that has just moved, they are excused only as far as they are
 * usual: the numbers of its records may be unknown only since. Where nobody knows what is usual, all are.
 */
function excused(
  row: { readonly stage_calls: Sum; readonly stage_of_call: Sum },
  usual: number | undefined,
): number {
  const all = Number(row.stage_of_call);
  return usual === undefined ? all : Math.min(all, Math.floor(usualLimit(usual) * Number(row.stage_calls)));
}

/** The share of such errors among the calls of V1 before the move, of accounts that have just moved and had enough of them. */
async function usualShares(
  engine: Engine,
  now: number,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const usual = new Map<string, number>();
  for (const some of chunks(accountIds, AT_ONCE)) {
    const rows = await engine.db
      .selectFrom('accounts')
      .innerJoin('call_hours', 'account_id', 'accounts.id')
      .select(['accounts.id', sql<Sum>`sum(of_call)`.as('of_call'), sql<Sum>`sum(calls)`.as('calls')])
      .where('accounts.id', 'in', some)
      .where('source', '=', 'v1')
      .where(sql<boolean>`hour >= ${FIRST_HOUR_BEFORE_MOVE} and hour <= stage_since - ${HOUR}`)
      .where(hasJustMoved(now))
      .groupBy('accounts.id')
      .having(sql<Sum>`sum(calls)`, '>=', FEWEST_BEFORE)
      .execute();
    for (const row of rows) usual.set(row.id, Number(row.of_call) / Number(row.calls));
    await nextTurn();
  }
  return usual;
}
