/**
 * The log of calls and their hourly counts, held in memory and written every few seconds: writing on every
 * call would cost more than the call.
 *
 * A crash loses those seconds and nothing else; a failed write keeps what it held and is retried with the
 * next calls. While the database is away, single calls are kept up to a limit. Beyond it those of the account
 * that has waited longest are discarded and counted as dropped; the hourly counts are never discarded. The
 * last calls of each account are kept (`CALLS_KEPT`), the hours for a fixed number of days
 * (`HOURS_KEPT_DAYS`).
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import {
  CALLS_KEPT,
  HOURS_KEPT_DAYS,
  type CallRepository,
  type CallRecord,
  type HourCount,
} from './call-log.ts';
import { writeLastCalls } from '../accounts/sql/last-calls.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import type { Engine } from '../../db/engine.ts';
import type { Tables } from '../../db/tables.ts';
import type { CallHourRow, RecentCallRow } from './tables.ts';

const FLUSH_EVERY_MS = 5_000;
/** Rows per statement: SQLite blocks the event loop meanwhile. */
const AT_ONCE = 200;
/**
 * Single calls held between two writes; beyond it those of the account that has waited longest are discarded,
 * but never the counts.
 */
const MOST_HELD = 20_000;

/**
 * Finished calls, and with them when each account last called, held in memory and written every few seconds:
 * writing on every call would cost more than the call. A crash loses those seconds and nothing else.
 */
export class StoredCalls implements CallRepository {
  readonly #engine: Engine;
  #calls = new Map<string, CallRecord[]>();
  #held = 0;
  #dropped = 0;
  #hours = new Map<string, CallHourRow>();
  #last = new Map<string, number>();
  /** How many calls of an account were written since its old ones were deleted. */
  #written = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #flight: Promise<void> | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Single calls waiting to be written. */
  get held(): number {
    return this.#held;
  }

  /** Single calls discarded since the start because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }

  record(call: CallRecord): void {
    const { accountId, at, source } = call;
    const errors = call.failed ? 1 : 0;
    this.#count({ hour: at - (at % HOUR), account_id: accountId, source, calls: 1, errors });
    this.#keep(call);
    if (at > (this.#last.get(accountId) ?? 0)) this.#last.set(accountId, at);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // What could not be written is kept and retried with the next call.
      this.flush().catch(() => undefined);
    }, FLUSH_EVERY_MS).unref();
  }

  async recent(accountId: string): Promise<readonly CallRecord[]> {
    await this.#flight?.catch(() => undefined);
    const held = (this.#calls.get(accountId) ?? []).toReversed();
    const rows = await this.#engine.db
      .selectFrom('recent_calls')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('at', 'desc')
      .orderBy('request_id')
      .limit(CALLS_KEPT)
      .execute();
    return [...held, ...rows.map(callOf)].sort((a, b) => b.at - a.at).slice(0, CALLS_KEPT);
  }

  async hours(accountId: string, since: number): Promise<readonly HourCount[]> {
    return this.#engine.db
      .selectFrom('call_hours')
      .select(['hour', 'source', 'calls', 'errors'])
      .where('account_id', '=', accountId)
      .where('hour', '>=', since - (since % HOUR))
      .orderBy('hour')
      .orderBy('source')
      .execute();
  }

  async forget(now: number): Promise<void> {
    await this.#engine.db
      .deleteFrom('call_hours')
      .where('hour', '<', now - HOURS_KEPT_DAYS * DAY)
      .execute();
  }

  /** Waits for a flush in progress; what arrived meanwhile is written then. */
  async flush(): Promise<void> {
    while (this.#flight !== undefined) await this.#flight.catch(() => undefined);
    this.#flight = this.#flush().finally(() => {
      this.#flight = undefined;
    });
    await this.#flight;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush();
  }

  #count(more: CallHourRow): void {
    const key = `${more.hour} ${more.source} ${more.account_id}`;
    const hour = this.#hours.get(key);
    if (hour === undefined) {
      this.#hours.set(key, more);
      return;
    }
    hour.calls += more.calls;
    hour.errors += more.errors;
  }

  #keep(call: CallRecord): void {
    const calls = this.#calls.get(call.accountId);
    if (calls === undefined) this.#calls.set(call.accountId, [call]);
    else calls.push(call);
    this.#held += 1;
    if (calls !== undefined && calls.length > CALLS_KEPT) {
      calls.shift();
      this.#held -= 1;
    }
    if (this.#held > MOST_HELD) this.#drop();
  }

  #drop(): void {
    const [waiting] = this.#calls;
    if (waiting === undefined) return;
    this.#calls.delete(waiting[0]);
    this.#held -= waiting[1].length;
    this.#dropped += waiting[1].length;
  }

  async #flush(): Promise<void> {
    const hours = [...this.#hours.values()].sort(inOrder);
    const calls = [...this.#calls.values()].flat();
    const last = this.#last;
    this.#hours = new Map();
    this.#calls = new Map();
    this.#last = new Map();
    this.#held = 0;
    try {
      for (; hours.length > 0; hours.splice(0, AT_ONCE)) await this.#writeHours(hours.slice(0, AT_ONCE));
      for (; calls.length > 0; calls.splice(0, AT_ONCE)) await this.#writeCalls(calls.slice(0, AT_ONCE));
      await writeLastCalls(this.#engine, last);
    } catch (error) {
      this.#last = new Map([...last, ...this.#last]);
      hours.forEach((hour) => {
        this.#count(hour);
      });
      calls.forEach((call) => {
        this.#keep(call);
      });
      throw error;
    }
  }

  /** Sorted, so that two processes writing at once cannot deadlock. */
  async #writeHours(rows: readonly CallHourRow[]): Promise<void> {
    await turn();
    await this.#engine.db
      .insertInto('call_hours')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['hour', 'account_id', 'source']).doUpdateSet((update) => ({
          calls: update('call_hours.calls', '+', update.ref('excluded.calls')),
          errors: update('call_hours.errors', '+', update.ref('excluded.errors')),
        })),
      )
      .execute();
  }

  async #writeCalls(calls: readonly CallRecord[]): Promise<void> {
    await turn();
    await this.#engine.db.transaction().execute(async (trx) => {
      await trx.insertInto('recent_calls').values(calls.map(rowOf)).execute();
      for (const accountId of this.#full(calls)) await trim(trx, accountId);
    });
  }

  /**
   * Accounts whose old calls are to be deleted: when a process first sees them, and after every 50 calls
   * written.
   */
  #full(calls: readonly CallRecord[]): readonly string[] {
    const full = new Set<string>();
    for (const { accountId } of calls) {
      const written = (this.#written.get(accountId) ?? CALLS_KEPT) + 1;
      this.#written.set(accountId, written);
      if (written > CALLS_KEPT) full.add(accountId);
    }
    for (const accountId of full) this.#written.set(accountId, 0);
    return [...full];
  }
}

const inOrder = (a: CallHourRow, b: CallHourRow): number =>
  a.hour - b.hour || compare(a.account_id, b.account_id) || compare(a.source, b.source);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function trim(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await trx
    .deleteFrom('recent_calls')
    .where('account_id', '=', accountId)
    .where('request_id', 'not in', (query) =>
      query
        .selectFrom('recent_calls')
        .select('request_id')
        .where('account_id', '=', accountId)
        .orderBy('at', 'desc')
        .orderBy('request_id')
        .limit(CALLS_KEPT),
    )
    .execute();
}

const micros = (millis: number): number => Math.round(millis * 1_000);

const rowOf = (call: CallRecord): RecentCallRow => ({
  account_id: call.accountId,
  request_id: call.requestId,
  at: call.at,
  verb: call.verb,
  method: call.method,
  source: call.source,
  status: call.status,
  failed: call.failed ? 1 : 0,
  micros: micros(call.millis),
  upstream_micros: call.upstreamMillis === undefined ? null : micros(call.upstreamMillis),
});

const callOf = (row: RecentCallRow): CallRecord => ({
  accountId: row.account_id,
  requestId: row.request_id,
  at: row.at,
  verb: row.verb,
  method: row.method,
  source: row.source,
  status: row.status,
  failed: row.failed === 1,
  millis: row.micros / 1_000,
  upstreamMillis: row.upstream_micros === null ? undefined : row.upstream_micros / 1_000,
});
