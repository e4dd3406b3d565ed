/** The calls of the last 24 hours, summed by account. */
import { sql } from 'kysely';
import type { CallsLine } from '../report-rows.ts';
import type { Engine } from '../../../db/engine.ts';
import { DAY, HOUR } from '../../../lib/time/clock.ts';

type Sum = number | string; // PostgreSQL sums bigints to a numeric, which its driver returns as text

/** In the hour in which the stage began, only answers of V3 and V2: the others may be from before. */
const SINCE_STAGE = sql`source != 'refused' and
  (hour >= stage_since or (hour > stage_since - ${HOUR} and source in ('v3', 'v2')))`;

/** In whole hours: the one that was running 24 hours ago counts from its beginning. */
export async function callLines(engine: Engine, now: number, only?: string): Promise<readonly CallsLine[]> {
  const rows = await engine.db
    .selectFrom('call_hours')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select([
      'account_id',
      sql<Sum>`sum(case when source = 'refused' then 0 else calls end)`.as('calls'),
      sql<Sum>`sum(case when source = 'refused' then calls else 0 end)`.as('refused'),
      (query) => query.fn.sum<Sum>('errors').as('errors'),
      sql<Sum>`sum(case when source = 'v1' then calls else 0 end)`.as('v1_calls'),
      sql<Sum>`max(case when source = 'v1' then hour else 0 end)`.as('v1_hour'),
      sql<Sum>`sum(case when ${SINCE_STAGE} then calls else 0 end)`.as('stage_calls'),
      sql<Sum>`sum(case when ${SINCE_STAGE} then errors - of_call else 0 end)`.as('stage_errors'),
    ])
    .where('hour', '>', now - DAY - HOUR)
    .$if(only !== undefined, (query) => query.where('account_id', '=', only ?? ''))
    .groupBy('account_id')
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    ...{ calls: Number(row.calls), errors: Number(row.errors), refused: Number(row.refused) },
    ...{ v1Calls: Number(row.v1_calls), v1Hour: Number(row.v1_hour) },
    sinceStage: { calls: Number(row.stage_calls), errors: Number(row.stage_errors) },
  }));
}
