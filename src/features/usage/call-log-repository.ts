/**
 * Finished calls: held in memory, where a call only adds itself to a list, and written together.
 *
 * Every five seconds all new calls, of whatever account, become rows of the journal (`stored-packs.ts`), which every
 * process reads. Every half minute what is in the journal is counted by hour, and every ten minutes it is added to the
 * packs of the accounts. A process that is killed loses the calls of the last five seconds; the rest of its work is
 * finished by another, or by itself when it runs again. While the database is away, calls are kept up to a limit. Beyond
 * it the oldest are discarded and counted as dropped; the hourly counts are never discarded.
 */
import { randomUUID } from 'node:crypto';
import type { Engine } from '../../db/engine.ts';
import { chunks } from '../../db/row.ts';
import { DAY, HOUR, MINUTE, systemClock, type Clock } from '../../lib/time/clock.ts';
import {
  CALLS_SHOWN,
  HOURS_KEPT_DAYS,
  type CallRepository,
  type CallRecord,
  type CallsWanted,
  type HourCount,
} from './call-log.ts';
import { HourCounts } from './hour-counts.ts';
import type { CallLimits } from './pack-limits.ts';
import { StoredPacks, type Journaled } from './stored-packs.ts';

const FLUSH_EVERY_MS = 5_000;
/** In flushes. */
const COUNT_EVERY = 6;
const PACK_EVERY = 120;
/** In milliseconds: by then a living process has packed what is in its rows. */
const ABANDONED = 30 * MINUTE;
/** Calls in a row of the journal: packing and reading more at once would keep callers waiting. */
const ROW = 1_000;
/** Calls that wait for the journal, and calls in the journal that wait to be packed. */
const MOST_HELD = 20_000;

/** The calls of this process, and those in the database. */
export class StoredCalls implements CallRepository {
  readonly #engine: Engine;
  readonly #packs: StoredPacks;
  readonly #clock: Clock;
  readonly #holder = randomUUID();
  #waiting: CallRecord[] = [];
  #dropped = 0;
  /** Counts of what was dropped. */
  #counts = new HourCounts();
  #uncounted: Journaled[] = [];
  #unpacked: Journaled[] = [];
  #flushes = 0;
  #timer: NodeJS.Timeout | undefined;
  #flight: Promise<void> | undefined;

  /** `clock`: for the age of rows of the journal. */
  constructor(
    engine: Engine,
    { clock = systemClock, most }: { readonly clock?: Clock; readonly most?: CallLimits } = {},
  ) {
    this.#engine = engine;
    this.#packs = new StoredPacks(engine, most);
    this.#clock = clock;
  }

  /** Single calls waiting to be written. */
  get held(): number {
    return this.#waiting.length;
  }

  /** Single calls discarded since the start because too many waited. */
  get dropped(): number {
    return this.#dropped;
  }

  record(call: CallRecord): void {
    this.#waiting.push(call);
    if (this.#waiting.length > MOST_HELD) this.#drop();
    if (this.#timer === undefined) this.#later();
  }

  async find(accountId: string, wanted: CallsWanted = {}): Promise<readonly CallRecord[]> {
    await this.#flight?.catch(() => undefined);
    const { from = 0, to = Infinity, requestId, limit = CALLS_SHOWN } = wanted;
    const found = new Map<string, CallRecord>();
    const take = (calls: readonly CallRecord[]): void => {
      for (const call of calls) {
        const { at, requestId: id } = call;
        if (call.accountId !== accountId || at < from || at >= to) continue;
        if (requestId === undefined || requestId === id) found.set(id, call);
      }
    };
    take(this.#waiting);
    for (const { calls } of this.#unpacked) take(calls);
    take(await this.#packs.journaled(this.#holder, accountId));
    for await (const { last, calls } of this.#packs.packs(accountId, from)) {
      const oldest = newest(found, limit)[limit - 1];
      if (oldest !== undefined && oldest.at > last) break;
      take(calls);
    }
    return newest(found, limit);
  }

  async hours(accountId: string, since: number): Promise<readonly HourCount[]> {
    const from = since - (since % HOUR);
    const rows = await this.#engine.db
      .selectFrom('call_hours')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('hour', '>=', from)
      .execute();
    const counts = new HourCounts(rows);
    for (const call of await this.#packs.uncounted(accountId)) if (call.at >= from) counts.count(call);
    return counts.rows.map(({ hour, source, calls, errors }) => ({ hour, source, calls, errors }));
  }

  async forget(now: number): Promise<void> {
    await this.#engine.db
      .deleteFrom('call_hours')
      .where('hour', '<', now - HOURS_KEPT_DAYS * DAY)
      .execute();
    await this.#packs.adopt(this.#clock.now() - ABANDONED, this.#holder);
    await this.#packs.forget(now);
  }

  async erase(accountId: string): Promise<number> {
    const isOthers = (call: CallRecord): boolean => call.accountId !== accountId;
    await this.flush();
    this.#unpacked = this.#unpacked.map(({ id, calls }) => ({ id, calls: calls.filter(isOthers) }));
    return this.#packs.erase(accountId);
  }

  /** Waits for a flush in progress; what arrived meanwhile is written then. `isLast`: counts and packs everything. */
  async flush(isLast = false): Promise<void> {
    while (this.#flight !== undefined) await this.#flight.catch(() => undefined);
    this.#flight = this.#flush(isLast).finally(() => {
      this.#flight = undefined;
    });
    await this.#flight;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush(true);
  }

  #later(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // What could not be written is kept and retried.
      this.flush()
        .catch(() => undefined)
        .finally(() => {
          if (this.#waiting.length + this.#unpacked.length > 0 && this.#timer === undefined) this.#later();
        });
    }, FLUSH_EVERY_MS).unref();
  }

  /** A tenth at once, because each time moves the others. */
  #drop(): void {
    const dropped = this.#waiting.splice(0, MOST_HELD / 10);
    this.#dropped += dropped.length;
    for (const call of dropped) this.#counts.count(call);
  }

  async #flush(isLast: boolean): Promise<void> {
    this.#flushes += 1;
    await this.#journal();
    const unpacked = this.#unpacked.reduce((sum, { calls }) => sum + calls.length, 0);
    const isFull = isLast || unpacked > MOST_HELD;
    if (isFull || this.#flushes % COUNT_EVERY === 0) await this.#count();
    if (isFull || this.#flushes % PACK_EVERY === 0) await this.#pack();
  }

  async #journal(): Promise<void> {
    const calls = this.#waiting;
    if (calls.length === 0) return;
    const rows = Array.from(chunks(calls, ROW), (some) => ({ id: randomUUID(), calls: some }));
    this.#waiting = [];
    try {
      await this.#packs.journal({ holder: this.#holder, at: this.#clock.now() }, rows);
    } catch (error) {
      this.#waiting = [...calls, ...this.#waiting];
      while (this.#waiting.length > MOST_HELD) this.#drop();
      throw error;
    }
    this.#uncounted.push(...rows);
    this.#unpacked.push(...rows);
  }

  async #count(): Promise<void> {
    const [rows, counts] = [this.#uncounted, this.#counts];
    if (rows.length === 0 && counts.rows.length === 0) return;
    this.#counts = new HourCounts();
    try {
      await this.#packs.count(rows, counts.rows);
    } catch (error) {
      this.#counts = new HourCounts([...counts.rows, ...this.#counts.rows]);
      throw error;
    }
    this.#uncounted = this.#uncounted.slice(rows.length);
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
