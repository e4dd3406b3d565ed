import type { CellClaim, CellHolder, CellPool } from '../domain/cell-pool.ts';
import { shareOf } from '../domain/cell-pool.ts';
import type { Clock } from '../domain/clock.ts';
import { HOUR, MINUTE, SECOND } from '../domain/clock.ts';
import { Failure } from '../domain/failure.ts';
import { Holding } from './holding.ts';

/** Calls back after that many milliseconds; the answer takes it back. */
export type Timer = (millis: number, callback: () => void) => () => void;

export interface BudgetParts {
  readonly clock: Clock;
  /** Requests per rolling minute for one key (000_ef2b8fc3580d6af3.txt, Limits). */
  readonly perMinute: number;
  /** Calls that may wait for one key. */
  readonly queue?: number | undefined;
  /** Calls that may wait in all. */
  readonly queues?: number | undefined;
  readonly timer?: Timer | undefined;
  /** Where several instances share the limit; without it the whole limit is this one's. */
  readonly pool?: CellPool | undefined;
  /** Told how long a call stood in the queue, in milliseconds, whether it got through or not. */
  readonly onWait?: ((millis: number) => void) | undefined;
}

/** Leave to send one request. Exactly one of the two ends it; a second end does nothing. */
export interface Slot {
  /** The answer's headers came, or the request was given up after bytes left. */
  answered(): void;
  /** Nothing left: the service never counted it. */
  unsent(): void;
  /** Others may have counted this instance out since: nothing may be sent on it any more. */
  readonly lapsed: boolean;
}

const WINDOW = MINUTE;
const QUEUE = 500;
const QUEUES = 20_000;
const SWEEP_FROM = 64;
/** Between two rounds that give back what is not in use, where the limit is shared. */
const TIDY = 100;
/** Who has no patience at all still waits for the shared book to be asked. */
const ASKING = 250;
/** The longest the service is believed when it asks for a pause. */
const LONGEST_BLOCK = HOUR;

const systemTimer: Timer = (millis, callback) => {
  const timer = setTimeout(callback, millis);
  return () => {
    clearTimeout(timer);
  };
};

/**
 * Keeps the bridge inside the service's rolling minute, per key (client id and organisation), first come first
 * served. A slot is taken from before the request leaves until a minute after its answer's headers arrived: the
 * service counted it somewhere in between, so no rolling minute of the service ever holds more than the limit,
 * whatever the network does.
 */
export class Budget {
  readonly #parts: BudgetParts;
  readonly #windows = new Map<string, Window>();
  #waiting = 0;
  #sweepAt = SWEEP_FROM;
  #cancelTidy: (() => void) | undefined;
  #closed = false;

  constructor(parts: BudgetParts) {
    this.#parts = parts;
    parts.pool?.serves(this.#holder());
  }

  /**
   * Resolves when the key has a free slot. Throws `Failure` budgetExhausted, with the seconds until it is worth
   * trying again, as soon as it is known that `waitMs` will not do; `busy` when too many wait in all.
   */
  async acquire(key: string, waitMs: number, signal?: AbortSignal): Promise<Slot> {
    if (signal?.aborted === true) throw gone();
    const window = this.#window(key);
    if (window.idleSlot()) return window.take();
    this.#parts.pool?.begin();
    this.#tidyLater();
    if (this.#waiting >= (this.#parts.queues ?? QUEUES)) throw new Failure('busy', { retryAfter: 1 });
    this.#waiting += 1;
    const begun = performance.now();
    try {
      return await window.wait(waitMs, signal);
    } finally {
      this.#waiting -= 1;
      this.#parts.onWait?.(performance.now() - begun);
    }
  }

  /** The service answered 429 for this key: nothing goes out for that long, in milliseconds. */
  block(key: string, millis: number): void {
    const pause = Math.min(millis, LONGEST_BLOCK);
    this.#window(key).block(pause);
    this.#parts.pool?.block(key, pause);
  }

  /** Nothing is given back any more by itself. */
  close(): void {
    this.#closed = true;
    this.#cancelTidy?.();
  }

  /** How many keys are held in memory; idle ones are dropped. */
  get size(): number {
    return this.#windows.size;
  }

  /** How many requests wait for a slot, and how many keys have sent something within the last minute. */
  get use(): { readonly waiting: number; readonly keys: number } {
    let keys = 0;
    for (const window of this.#windows.values()) if (!window.idle()) keys += 1;
    return { waiting: this.#waiting, keys };
  }

  /** All windows, as those who keep the shared book want to hear of them. */
  #holder(): CellHolder {
    const windows = this.#windows;
    return {
      freeze: () => Array.from(windows.values()).flatMap((window) => window.freeze()),
      over: (instances) =>
        Array.from(windows).flatMap(([key, window]) =>
          window.held > shareOf(this.#parts.perMinute, instances) ? [key] : [],
        ),
      changed: () => {
        for (const [key, window] of windows) {
          const pause = window.changed();
          if (pause > 0) this.#parts.pool?.block(key, pause);
        }
        this.#tidyLater();
      },
    };
  }

  /** Gives back what is not in use, as long as there is something in use. */
  #tidyLater(): void {
    if (this.#parts.pool === undefined || this.#cancelTidy !== undefined || this.#closed) return;
    this.#cancelTidy = (this.#parts.timer ?? systemTimer)(TIDY, () => {
      this.#cancelTidy = undefined;
      let held = 0;
      for (const window of this.#windows.values()) held += window.tidy();
      if (held > 0) this.#tidyLater();
    });
  }

  #window(key: string): Window {
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    this.#sweep();
    const window = new Window({
      clock: this.#parts.clock,
      limit: this.#parts.perMinute,
      queue: this.#parts.queue ?? QUEUE,
      timer: this.#parts.timer ?? systemTimer,
      holding: this.#parts.pool && new Holding({ pool: this.#parts.pool, key, limit: this.#parts.perMinute }),
      key,
    });
    this.#windows.set(key, window);
    return window;
  }

  /** Drops idle keys whenever their number has doubled: memory follows the keys in use, at no cost worth naming. */
  #sweep(): void {
    if (this.#windows.size < this.#sweepAt) return;
    for (const [key, window] of this.#windows) if (window.idle()) this.#windows.delete(key);
    this.#sweepAt = Math.max(SWEEP_FROM, 2 * this.#windows.size);
  }
}

interface Waiter {
  readonly since: number;
  readonly until: number;
  grant(slot: Slot): void;
  refuse(failure: Failure): void;
}

interface WindowParts {
  readonly clock: Clock;
  readonly limit: number;
  readonly queue: number;
  readonly timer: Timer;
  /** Undefined: the whole limit is here. */
  readonly holding: Holding | undefined;
  readonly key: string;
}

/** A slot of an instance among others. */
class SharedSlot implements Slot {
  readonly answered: () => void;
  readonly unsent: () => void;
  readonly #holding: Holding;
  readonly #taken = performance.now();

  constructor(answered: () => void, unsent: () => void, holding: Holding) {
    this.answered = answered;
    this.unsent = unsent;
    this.#holding = holding;
  }

  get lapsed(): boolean {
    return this.#holding.lapsedSince(this.#taken);
  }
}

/** The rolling minute of one key. */
class Window {
  readonly #parts: WindowParts;
  /** When each answered slot becomes free, in order. */
  #freeAt: number[] = [];
  #inFlight = 0;
  #blockedUntil = 0;
  #waiters: Waiter[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(parts: WindowParts) {
    this.#parts = parts;
  }

  get held(): number {
    this.#now();
    this.#cap();
    return this.#parts.holding?.held ?? 0;
  }

  /** Gives up every cell that is not in use; tells the others, where there are any. */
  freeze(): readonly CellClaim[] {
    const { holding, key, limit } = this.#parts;
    const now = this.#now();
    if (holding === undefined) return [];
    const busy = this.#busy();
    holding.shrink(busy);
    return busy === 0 ? [] : [{ key, limit, held: busy, busyFor: this.#busyFor(now), waiting: [] }];
  }

  /** What may be held is another now. Answers how long the service still wants a pause, in milliseconds. */
  changed(): number {
    this.#turn();
    return this.#blockedUntil - this.#parts.clock.now();
  }

  /** Gives back what is not in use; answers how much is left to look after. */
  tidy(): number {
    const { holding } = this.#parts;
    if (holding === undefined) return 0;
    const now = this.#now();
    this.#cap();
    if (this.#waiters.length === 0 && holding.isUntidy(this.#busy(), now)) this.#ask(now);
    return holding.isKnown ? holding.held : this.#busy();
  }

  idle(): boolean {
    const now = this.#now();
    return (
      this.#inFlight === 0 &&
      this.#freeAt.length === 0 &&
      this.#waiters.length === 0 &&
      this.#blockedUntil <= now &&
      this.#parts.holding?.isKnown !== true
    );
  }

  idleSlot(): boolean {
    const now = this.#now();
    return this.#waiters.length === 0 && this.#blockedUntil <= now && this.#free() > 0;
  }

  take(): Slot {
    this.#inFlight += 1;
    let open = true;
    const end = (used: boolean) => () => {
      if (!open) return;
      open = false;
      this.#inFlight -= 1;
      if (used) this.#freeAt.push(this.#parts.clock.now() + WINDOW);
      this.#turn();
    };
    const { holding } = this.#parts;
    const [answered, unsent] = [end(true), end(false)];
    return holding === undefined
      ? { answered, unsent, lapsed: false }
      : new SharedSlot(answered, unsent, holding);
  }

  block(millis: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#parts.clock.now() + millis);
    this.#turn();
  }

  wait(waitMs: number, signal: AbortSignal | undefined): Promise<Slot> {
    const now = this.#now();
    const earliest = this.#forecast(now)(this.#waiters.length);
    if (earliest > now + waitMs || this.#waiters.length >= this.#parts.queue)
      return Promise.reject(exhausted(earliest - now));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        waiter.refuse(gone());
        this.#turn();
      };
      const waiter: Waiter = {
        since: now,
        until: now + Math.max(waitMs, this.#parts.holding === undefined ? 0 : ASKING),
        grant: (slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
        refuse: (failure) => {
          signal?.removeEventListener('abort', leave);
          reject(failure);
        },
      };
      signal?.addEventListener('abort', leave);
      this.#waiters.push(waiter);
      this.#turn();
      if (this.#waiters.length === 1) this.#askFor(now);
    });
  }

  /** Lets go whom the window has room for, refuses who would wait in vain, and sets the alarm for the next change. */
  #turn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#waiters.length === 0) return;
    const now = this.#now();
    const going = this.#blockedUntil > now ? 0 : Math.max(0, this.#free());
    const granted = this.#waiters.slice(0, going);
    this.#waiters = this.#waiters.slice(going);
    for (const waiter of granted) waiter.grant(this.take());
    this.#refuseHopeless(now);
    if (this.#parts.holding?.askIn(now) === 0) this.#askFor(now);
    this.#setAlarm(now);
  }

  /** Cells of the shared book for those who wait, and gives back what is not in use. */
  #askFor(now: number): void {
    if (
      this.#waiters.length > 0 &&
      this.#blockedUntil <= now &&
      this.#parts.holding?.askIn(now) !== undefined
    )
      this.#ask(now);
  }

  #ask(now: number): void {
    this.#parts.holding?.ask(
      {
        busy: this.#busy(),
        busyFor: this.#busyFor(now),
        waiting: this.#waiters.map(({ since }) => Math.max(0, now - since)),
      },
      () => this.#parts.clock.now(),
      (blockedFor) => {
        if (blockedFor > 0)
          this.#blockedUntil = Math.max(this.#blockedUntil, this.#parts.clock.now() + blockedFor);
        this.#turn();
      },
    );
  }

  #refuseHopeless(now: number): void {
    const staying: Waiter[] = [];
    const forecast = this.#forecast(now);
    for (const waiter of this.#waiters) {
      const earliest = forecast(staying.length);
      if (earliest > waiter.until) waiter.refuse(exhausted(earliest - now));
      else staying.push(waiter);
    }
    this.#waiters = staying;
  }

  #setAlarm(now: number): void {
    if (this.#waiters.length === 0) return;
    const free = this.#freeAt[0] ?? Infinity;
    const room = this.#free() > 0 ? 0 : Math.min(free, now + (this.#parts.holding?.askIn(now) ?? Infinity));
    const change = Math.max(room, this.#blockedUntil);
    const patience = Math.min(...this.#waiters.map((waiter) => waiter.until + 1));
    const wait = Math.max(1, Math.min(change, patience) - now);
    this.#cancelTimer = this.#parts.timer(wait, () => {
      this.#turn();
    });
  }

  /** Answers a lower bound for the moment the waiter at a place in the queue can go. */
  #forecast(now: number): (place: number) => number {
    const { holding } = this.#parts;
    if (holding === undefined) return (place) => this.#earliest(place, now);
    const outlook = holding.outlook(now);
    const open = Math.max(now, this.#blockedUntil);
    if (outlook === undefined) return () => open;
    const free = Math.max(0, this.#free()) + outlook.idle;
    if (free > this.#waiters.length) return () => open;
    const cells = [
      ...new Array<number>(free).fill(now),
      ...this.#freeAt,
      ...new Array<number>(this.#inFlight).fill(now + WINDOW),
      ...outlook.foreign,
    ].sort((a, b) => a - b);
    if (cells.length === 0) return () => open;
    return (place) => {
      const first = cells[place % cells.length] ?? now;
      return Math.max(first + Math.floor(place / cells.length) * WINDOW, open);
    };
  }

  /** A lower bound for the moment the waiter at that place in the queue can go. */
  #earliest(place: number, now: number): number {
    const free = Math.max(0, this.#free());
    if (place < free) return Math.max(now, this.#blockedUntil);
    const release = place - free;
    const { limit } = this.#parts;
    const rounds = Math.floor(release / limit);
    // Slots in flight are free a minute after an answer that has not come yet.
    const first = this.#freeAt[release % limit] ?? now + WINDOW;
    return Math.max(first + rounds * WINDOW, this.#blockedUntil);
  }

  #free(): number {
    return this.#cap() - this.#busy();
  }

  /** Requests that may count at once. */
  #cap(): number {
    return this.#parts.holding?.cap(this.#busy()) ?? this.#parts.limit;
  }

  #busy(): number {
    return this.#inFlight + this.#freeAt.length;
  }

  #busyFor(now: number): readonly number[] {
    return this.#freeAt.map((at) => at - now);
  }

  /** The time, with what it has freed. A clock set back must not close the window for longer than a minute. */
  #now(): number {
    const now = this.#parts.clock.now();
    const latest = now + WINDOW;
    if ((this.#freeAt.at(-1) ?? 0) > latest) this.#freeAt = this.#freeAt.map((at) => Math.min(at, latest));
    this.#blockedUntil = Math.min(this.#blockedUntil, now + LONGEST_BLOCK);
    let free = 0;
    while ((this.#freeAt[free] ?? Infinity) <= now) free += 1;
    if (free > 0) this.#freeAt.splice(0, free);
    return now;
  }
}

const exhausted = (millis: number): Failure =>
  new Failure('budgetExhausted', { retryAfter: Math.max(1, Math.ceil(millis / SECOND)) });

const gone = (): Failure => new Failure('upstreamUnavailable', { text: 'The call was given up' });
