import { sql, type RawBuilder } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { chunks } from '../../db/row.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import { CALLS_KEPT_DAYS, HOURS_KEPT_DAYS, MOVE_COMPARED_DAYS } from './call-log.ts';

/** About 4 MB and 400 MB. */
const MOST: CallLimits = { ofOne: 100_000, ofAll: 10_000_000 };
/** Rows deleted at once while there are too many. */
const FEW = 1_000;

/** How many calls may be stored, of one account and of all; the oldest are deleted first. */
export interface CallLimits {
  readonly ofOne: number;
  readonly ofAll: number;
}

/**
 * Deletes packs that are too old, and the oldest where there are too many calls. Looks only at accounts to which this
 * process has added: one query over all packs takes two seconds with 10,000 accounts.
 */
export class PackLimits {
  readonly #engine: Engine;
  readonly #most: CallLimits;
  /** Accounts that may have too many. */
  #grown = new Set<string>();

  constructor(engine: Engine, most = MOST) {
    this.#engine = engine;
    this.#most = most;
  }

  /** Notes that calls of the account were added. */
  grew(accountId: string): void {
    this.#grown.add(accountId);
  }

  /** Deletes packs that are too old and, where there are too many calls, the oldest ones. */
  async forget(now: number): Promise<void> {
    const { db } = this.#engine;
    await db
      .deleteFrom('call_packs')
      .where('last_at', '<', now - CALLS_KEPT_DAYS * DAY)
      .execute();
    const grown = this.#grown;
    this.#grown = new Set();
    for (const accountId of grown) await this.#trim(accountId);
    while ((await this.#stored()) > this.#most.ofAll)
      await sql`
        delete from call_packs where (account_id, begun_at) in (
          select account_id, begun_at from call_packs order by last_at limit ${FEW}
        )
      `.execute(db);
  }

  async #stored(accountId?: string): Promise<number> {
    const { calls } = await this.#engine.reads
      .selectFrom('call_packs')
      .select((expression) => expression.fn.sum<number | string | null>('calls').as('calls'))
      .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
      .executeTakeFirstOrThrow();
    return Number(calls ?? 0);
  }

  async #trim(accountId: string): Promise<void> {
    const { ofOne } = this.#most;
    if ((await this.#stored(accountId)) <= ofOne) return;
    const { db } = this.#engine;
    const packs = await db
      .selectFrom('call_packs')
      .select(['begun_at', 'calls'])
      .where('account_id', '=', accountId)
      .orderBy('last_at', 'desc')
      .orderBy('begun_at', 'desc')
      .execute();
    let kept = 0;
    const over = packs.filter(({ calls }) => (kept += calls) > ofOne).map(({ begun_at: begun }) => begun);
    for (const some of chunks(over))
      await db
        .deleteFrom('call_packs')
        .where('account_id', '=', accountId)
        .where('begun_at', 'in', some)
        .execute();
  }
}

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
