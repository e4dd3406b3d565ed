import { sql, type RawBuilder } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { chunks } from '../../db/row.ts';
import { DAY } from '../../lib/time/clock.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { CALLS_KEPT_DAYS } from './call-log.ts';

/** About 4 MB and 400 MB. */
const MOST: CallLimits = { ofOne: 100_000, ofAll: 10_000_000 };
/** Rows deleted at once. */
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
    const pause = this.#engine.pauses();
    const isOld = sql`where last_at < ${now - CALLS_KEPT_DAYS * DAY}`;
    while ((await this.#deleteFew(isOld)) === FEW) {
      await pause();
      await nextTurn();
    }
    const grown = this.#grown;
    this.#grown = new Set();
    for (const accountId of grown) await this.#trim(accountId);
    while ((await this.#stored()) > this.#most.ofAll) await this.#deleteFew(sql`order by last_at`);
  }

  /** Returns how many were deleted. */
  async #deleteFew(which: RawBuilder<unknown>): Promise<number> {
    const { numAffectedRows } = await sql`
      delete from call_packs where (account_id, begun_at) in (
        select account_id, begun_at from call_packs ${which} limit ${FEW}
      )
    `.execute(this.#engine.db);
    return Number(numAffectedRows ?? 0);
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
