/**
 * Stores finished calls: collected in memory and written together.
 *
 * Every five seconds all new calls, whatever their accounts, become rows of the journal (`stored-packs.ts`), which
 * every process reads; only their counts stay in memory, because thousands of small objects that live for minutes
 * make the garbage collector stop every call. Every half minute the counts are written, and every ten minutes, or
 * after 20,000 calls, the journal is added to the packs of the accounts. A process that is killed loses the calls of
 * the last six seconds; another process finishes the rest of its work, or it does so itself when it runs again. While
 * the database is away, calls are kept up to a limit. Beyond it the oldest are discarded and counted as dropped; the
 * hourly counts are never discarded.
 */
import { randomUUID } from 'node:crypto';
import type { Engine } from '../../db/engine.ts';
import { DAY, HOUR, MINUTE, systemClock, type Clock } from '../../lib/time/clock.ts';
import { CallCounts } from './call-counts.ts';
import type { CallCounter, RecentCall, RecentCalls } from './recent-calls.ts';
import {
  CALLS_SHOWN,
  isOfKind,
  REFUSED_AT_ONCE,
  type CallRepository,
  type CallRecord,
  type CallsWanted,
  type HourCount,
  type RefusedRecently,
} from './call-log.ts';
import { forgetHours } from './forget-hours.ts';
import type { CallLimits } from './pack-limits.ts';
import type { CallHourRow } from './tables.ts';
import { StoredPacks, type Journaled, type PreparedCalls } from './stored-packs.ts';

const FLUSH_EVERY_MS = 5_000;
/** Counted in flushes. */
const COUNT_EVERY = 6;
const PACK_EVERY = 120;
/** In milliseconds: by this age, a living process has packed the calls of its rows. */
const ABANDONED = 30 * MINUTE;
/** Applies both to calls that wait for the journal and to calls in the journal that wait to be packed. */
const MOST_HELD = 20_000;

/** Overrides of the defaults. */
export interface StoredCallsOptions {
  /** For the age of rows of the journal. */
  readonly clock?: Clock;
  readonly most?: CallLimits;
  /** Hands over the calls. */
  readonly recent?: RecentCalls;
}

/** The calls of this process, and those in the database. */
export class StoredCalls implements CallRepository, CallCounter {
  readonly readsMessages = false;
  readonly #engine: Engine;
  readonly #packs: StoredPacks;
  readonly #clock: Clock;
  readonly #recent: RecentCalls | undefined;
  readonly #holder = randomUUID();
  #waiting: CallRecord[] = [];
  /** On their way to the journal. */
  #leaving: readonly CallRecord[] = [];
  /** Rows of those, written or not: the answer is awaited, or was lost. */
  #unsure: PreparedCalls | undefined;
  /** The same of counts. */
  #counting: { readonly rows: readonly Journaled[]; readonly more: CallCounts } | undefined;
  #dropped = 0;
  /** Counts of the dropped calls. */
  #counts = new CallCounts();
  #uncounted: Journaled[] = [];
  #unpacked: Journaled[] = [];
  #flushes = 0;
  #timer: NodeJS.Timeout | undefined;
  #flight: Promise<unknown> | undefined;

  constructor(engine: Engine, { clock = systemClock, most, recent }: StoredCallsOptions = {}) {
    this.#engine = engine;
    this.#packs = new StoredPacks(engine, most);
    this.#clock = clock;
    this.#recent = recent;
    recent?.tell(this);
  }

  /** Single calls waiting to be written. */
  get held(): number {
    return this.#waiting.length + this.#leaving.length;
  }

  get #held(): readonly CallRecord[] {
    return [...this.#leaving, ...this.#waiting];
  }

  /** Single calls discarded since the start because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }

  count(calls: readonly RecentCall[]): void {
    for (const { call } of calls) this.record(call);
  }

  record(call: CallRecord): void {
    this.#waiting.push(call);
    if (this.held > MOST_HELD) this.#drop();
    if (this.#timer === undefined) this.#later();
  }

  async since(accountId: string, from: number, most: number): Promise<readonly CallRecord[]> {
    this.#recent?.handOver();
    await this.#flight?.catch(() => undefined);
    const found = new Map<string, CallRecord>();
    const take = (calls: readonly CallRecord[]): void => {
      for (const call of calls)
        if (call.accountId === accountId && call.at >= from) found.set(call.requestId, call);
    };
    take(this.#held);
    take(await this.#packs.journaled(accountId));
    for await (const { calls } of this.#packs.packs(accountId, from)) {
      if (found.size >= most) break;
      take(calls);
    }
    return newest(found, most).toReversed();
  }

  async find(accountId: string, wanted: CallsWanted = {}): Promise<readonly CallRecord[]> {
    this.#recent?.handOver();
    await this.#flight?.catch(() => undefined);
    const { from = 0, to, requestId, limit = CALLS_SHOWN, most = Infinity } = wanted;
    const found = new Map<string, CallRecord>();
    const take = (calls: readonly CallRecord[]): void => {
      for (const call of calls) {
        const { at, requestId: id } = call;
        if (call.accountId !== accountId || at < from || at >= (to ?? Infinity) || !isOfKind(call, wanted))
          continue;
        if (requestId === undefined || requestId === id) found.set(id, call);
      }
    };
    take(this.#held);
    take(await this.#packs.journaled(accountId));
    let read = 0;
    for await (const { last, calls } of this.#packs.packs(accountId, from, to)) {
      // Sorted only when it matters: there may be a hundred packs.
      const oldest = found.size < limit ? undefined : newest(found, limit)[limit - 1];
      if (read >= most || (oldest !== undefined && oldest.at > last)) break;
      take(calls);
      read += calls.length;
    }
    return newest(found, limit);
  }

  async byRequest(requestId: string): Promise<CallRecord | undefined> {
    this.#recent?.handOver();
    await this.#flight?.catch(() => undefined);
    const waiting = this.#held.find((call) => call.requestId === requestId);
    if (waiting !== undefined) return waiting;
    const { findCall } = await import('./find-call.ts'); // for an operator who looks for it
    return findCall(this.#engine, requestId);
  }

  async hours(accountId: string, since: number): Promise<readonly HourCount[]> {
    const rows = await this.#counted(accountId, since);
    return rows.flatMap(({ hour, source, calls, errors }) =>
      source === 'refused' ? [] : [{ hour, source, calls, errors }],
    );
  }

  async refused(accountId: string, now: number): Promise<RefusedRecently | undefined> {
    const all = await this.#counted(accountId, now - DAY);
    const rows = all.filter(({ source }) => source === 'refused');
    const [newestHour] = rows.map(({ hour }) => hour).sort((a, b) => b - a);
    if (newestHour === undefined) return undefined;
    const [call] = await this.find(accountId, { from: newestHour, refused: true, limit: 1 });
    if (call?.refused === undefined) return undefined;
    const calls = rows.reduce((sum, row) => sum + row.calls, 0);
    const { at, requestId, refused } = call;
    return { calls, isAtLeast: calls >= REFUSED_AT_ONCE, last: { at, requestId, ...refused } };
  }

  /** By hour and source, including calls not written yet: the same calls that `find` lists. */
  async #counted(accountId: string, since: number): Promise<readonly CallHourRow[]> {
    this.#recent?.handOver();
    await this.#flight?.catch(() => undefined);
    const from = since - (since % HOUR);
    const rows = await this.#engine.db
      .selectFrom('call_hours')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('hour', '>=', from)
      .execute();
    const uncounted = new Map<string, CallRecord>();
    for (const call of [...(await this.#packs.uncounted(accountId)), ...this.#held])
      if (call.accountId === accountId && call.at >= from) uncounted.set(call.requestId, call);
    return new CallCounts(rows).count([...uncounted.values()]).rows;
  }

  async forget(now: number): Promise<void> {
    await forgetHours(this.#engine, now);
    await this.#packs.adopt(this.#clock.now() - ABANDONED, this.#holder);
    await this.#packs.forget(now);
  }

  async erase(accountId: string): Promise<number> {
    return this.#alone(async () => {
      await this.#flush('counted');
      return this.#packs.erase(accountId);
    });
  }

  /** Waits for a flush in progress, then writes the calls that arrived meanwhile. */
  async flush(): Promise<void> {
    await this.#alone(() => this.#flush());
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#alone(() => this.#flush('packed'));
  }

  /** Runs `work` while nothing else is written. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    while (this.#flight !== undefined) await this.#flight.catch(() => undefined);
    const flight = work().finally(() => {
      this.#flight = undefined;
    });
    this.#flight = flight;
    return flight;
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // Calls that could not be written are kept and retried.
      this.flush()
        .catch(() => undefined)
        .finally(() => {
          if (this.held + this.#unpacked.length > 0 && this.#timer === undefined) this.#later();
        });
    }, FLUSH_EVERY_MS).unref();
  }

  /** Drops a tenth at a time, because each removal moves the remaining calls. */
  #drop(): void {
    const dropped = this.#waiting.splice(0, MOST_HELD / 10);
    this.#dropped += dropped.length;
    this.#counts.count(dropped);
  }

  /** Writes the journal, and counts and packs when they are due; `atLeast`: at once. */
  async #flush(atLeast?: 'counted' | 'packed'): Promise<void> {
    this.#flushes += 1;
    await this.#journal();
    const unpacked = this.#unpacked.reduce((sum, { calls }) => sum + calls, 0);
    const isPackTime = atLeast === 'packed' || unpacked > MOST_HELD || this.#flushes % PACK_EVERY === 0;
    if (isPackTime || atLeast === 'counted' || this.#flushes % COUNT_EVERY === 0) await this.#count();
    if (isPackTime) await this.#pack();
  }

  async #journal(): Promise<void> {
    this.#recent?.handOver();
    await this.#write();
    this.#leaving = this.#waiting.splice(0);
    await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#leaving.length === 0) return;
    const by = { holder: this.#holder, at: this.#clock.now() };
    const isAgain = this.#unsure !== undefined;
    const { rows } = (this.#unsure ??= await this.#packs.prepare(by, this.#leaving));
    await this.#packs.journal(this.#unsure, isAgain);
    this.#leaving = [];
    this.#unsure = undefined;
    this.#uncounted.push(...rows);
    this.#unpacked.push(...rows);
  }

  async #count(): Promise<void> {
    const unsure = this.#counting;
    const counting = unsure ?? { rows: this.#uncounted.splice(0), more: this.#counts };
    if (counting.rows.length === 0 && counting.more.isEmpty) return;
    if (unsure === undefined) this.#counts = new CallCounts();
    this.#counting = counting;
    await this.#packs.count(counting.rows, counting.more);
    this.#counting = undefined;
    if (unsure !== undefined) await this.#count();
  }

  async #pack(): Promise<void> {
    const rows = this.#unpacked;
    if (rows.length === 0) return;
    await this.#packs.pack(rows.map(({ id }) => id));
    this.#unpacked = this.#unpacked.slice(rows.length);
  }
}

const newest = (found: ReadonlyMap<string, CallRecord>, limit: number): readonly CallRecord[] =>
  [...found.values()].sort((a, b) => b.at - a.at).slice(0, limit);
