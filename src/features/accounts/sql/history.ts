import { sql } from 'kysely';
import type { StageName } from '../account.ts';
import {
  noAccounts,
  dayOf,
  dayText,
  daysBack,
  type DayCounts,
  type DayMoves,
  type FeedEvent,
  type HistoryRepository,
  type StageCounts,
} from '../history.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { counterOf } from '../../../db/counters.ts';
import type { Engine } from '../../../db/engine.ts';
import type { AccountEventRow, StageDayRow } from './tables.ts';

const NONE: StageCounts = noAccounts;
const stages = Object.keys(NONE) as readonly StageName[];

/** The feed and the daily counts. `append` writes the entries, with the change they report. */
export class StoredHistory implements HistoryRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async since(
    seq: number,
    { limit, transitionsOnly = false }: Parameters<HistoryRepository['since']>[1],
  ): Promise<readonly FeedEvent[]> {
    const rows = await this.#engine.db
      .selectFrom('account_events')
      .selectAll()
      .where('seq', '>', seq)
      .$if(transitionsOnly, (query) => query.where('to_stage', 'is not', null))
      .orderBy('seq')
      .limit(limit)
      .execute();
    return rows.map(eventOf);
  }

  async unanswered(asked: string, answers: readonly string[], from = 0): Promise<readonly string[]> {
    const rows = await this.#engine.db
      .selectFrom('account_events as asked')
      .select('account_id')
      .distinct()
      .where('kind', '=', asked)
      .where('at', '>=', from)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('account_events as answer')
              .select('answer.position')
              .whereRef('answer.account_id', '=', 'asked.account_id')
              .whereRef('answer.position', '>', 'asked.position')
              .where('answer.kind', 'in', answers),
          ),
        ),
      )
      .orderBy('account_id')
      .execute();
    return rows.map(({ account_id: id }) => id);
  }

  async latest(): Promise<number> {
    return (await counterOf(this.#engine.db, 'feed')) ?? 0;
  }

  async days(now: number): Promise<readonly DayCounts[]> {
    const written = await this.#written();
    const fresh = await this.#fresh(written.at(-1)?.day, now);
    const [first] = fresh;
    const kept = first === undefined ? written : written.filter(({ day }) => dayText(day) < first.day);
    return [...kept.map(countsOf), ...fresh];
  }

  async record(now: number): Promise<void> {
    const { db } = this.#engine;
    const last = await db.selectFrom('stage_days').select('day').orderBy('day', 'desc').executeTakeFirst();
    const fresh = await this.#fresh(last?.day, now);
    for (const { day, counts } of fresh) {
      await db
        .insertInto('stage_days')
        .values({ day: dayOf(Date.parse(day)), ...counts })
        .onConflict((conflict) => conflict.column('day').doUpdateSet(counts))
        .execute();
    }
  }

  #written(): Promise<readonly StageDayRow[]> {
    return this.#engine.db.selectFrom('stage_days').selectAll().orderBy('day').execute();
  }

  /** From the last stored day, which may not have been over then, or from the first change. */
  async #fresh(last: number | undefined, now: number): Promise<readonly DayCounts[]> {
    const today = dayOf(now);
    const moves = await this.#moves(last);
    const first = last ?? Math.min(today, ...moves.map(({ day }) => day));
    return daysBack(await this.#present(), moves, Math.min(first, today), today);
  }

  async #present(): Promise<StageCounts> {
    const rows = await this.#engine.db
      .selectFrom('accounts')
      .select(['stage', (query) => query.fn.countAll<number>().as('accounts')])
      .groupBy('stage')
      .execute();
    return { ...NONE, ...Object.fromEntries(rows.map(({ stage, accounts }) => [stage, accounts])) };
  }

  async #moves(sinceDay: number | undefined): Promise<readonly DayMoves[]> {
    const day = sql<number>`at / ${sql.lit(DAY)}`;
    const rows = await this.#engine.db
      .selectFrom('account_events')
      .select([
        day.as('day'),
        'from_stage',
        'to_stage',
        (query) => query.fn.countAll<number>().as('accounts'),
      ])
      .where('to_stage', 'in', stages)
      .$if(sinceDay !== undefined, (query) => query.where('at', '>=', (sinceDay ?? 0) * DAY))
      .groupBy([day, 'from_stage', 'to_stage'])
      .execute();
    return rows.map(({ day: on, from_stage: from, to_stage: to, accounts }) => ({
      day: on,
      from: from ?? undefined,
      to: to ?? 'legacy',
      accounts,
    }));
  }
}

const countsOf = ({ day, ...counts }: StageDayRow): DayCounts => ({ day: dayText(day), counts });

const eventOf = (row: AccountEventRow): FeedEvent => ({
  seq: row.seq ?? 0,
  accountId: row.account_id,
  at: row.at,
  kind: row.kind,
  actor: row.actor,
  detail: row.detail,
  transition: row.to_stage === null ? undefined : { from: row.from_stage ?? undefined, to: row.to_stage },
});
