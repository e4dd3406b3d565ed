import type { Clock } from '../domain/clock.ts';
import { HOUR, MINUTE, SECOND } from '../domain/clock.ts';
import { Failure } from '../domain/failure.ts';

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
  /** Told how long a call stood in the queue, in milliseconds, whether it got through or not. */
  readonly onWait?: ((millis: number) => void) | undefined;
}

/** Leave to send one request. Exactly one of the two ends it; a second end does nothing. */
export interface Slot {
  /** The answer's headers came, or the request was given up after bytes left. */
  answered(): void;
  /** Nothing left: the service never counted it. */
  unsent(): void;
}

const WINDOW = MINUTE;
const QUEUE = 500;
const QUEUES = 20_000;
const SWEEP_FROM = 64;
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

  constructor(parts: BudgetParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the key has a free slot. Throws `Failure` budgetExhausted, with the seconds until it is worth
   * trying again, as soon as it is known that `waitMs` will not do; `busy` when too many wait in all.
   */
  async acquire(key: string, waitMs: number, signal?: AbortSignal): Promise<Slot> {
    if (signal?.aborted === true) throw gone();
    const window = this.#window(key);
    if (window.idleSlot()) return window.take();
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
    this.#window(key).block(Math.min(millis, LONGEST_BLOCK));
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

  #window(key: string): Window {
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    this.#sweep();
    const window = new Window({
      clock: this.#parts.clock,
      limit: this.#parts.perMinute,
      queue: this.#parts.queue ?? QUEUE,
      timer: this.#parts.timer ?? systemTimer,
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
  readonly until: number;
  grant(slot: Slot): void;
  refuse(failure: Failure): void;
}

interface WindowParts {
  readonly clock: Clock;
  readonly limit: number;
  readonly queue: number;
  readonly timer: Timer;
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

  idle(): boolean {
    const now = this.#now();
    return (
      this.#inFlight === 0 &&
      this.#freeAt.length === 0 &&
      this.#waiters.length === 0 &&
      this.#blockedUntil <= now
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
    return { answered: end(true), unsent: end(false) };
  }

  block(millis: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#parts.clock.now() + millis);
    this.#turn();
  }

  wait(waitMs: number, signal: AbortSignal | undefined): Promise<Slot> {
    const now = this.#now();
    const earliest = this.#earliest(this.#waiters.length, now);
    if (earliest > now + waitMs || this.#waiters.length >= this.#parts.queue)
      return Promise.reject(exhausted(earliest - now));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        waiter.refuse(gone());
        this.#turn();
      };
      const waiter: Waiter = {
        until: now + waitMs,
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
    this.#setAlarm(now);
  }

  #refuseHopeless(now: number): void {
    const staying: Waiter[] = [];
    for (const waiter of this.#waiters) {
      const earliest = this.#earliest(staying.length, now);
      if (earliest > waiter.until) waiter.refuse(exhausted(earliest - now));
      else staying.push(waiter);
    }
    this.#waiters = staying;
  }

  #setAlarm(now: number): void {
    if (this.#waiters.length === 0) return;
    const free = this.#freeAt[0] ?? Infinity;
    const room = this.#free() > 0 ? 0 : free;
    const change = Math.max(room, this.#blockedUntil);
    const patience = Math.min(...this.#waiters.map((waiter) => waiter.until + 1));
    const wait = Math.max(1, Math.min(change, patience) - now);
    this.#cancelTimer = this.#parts.timer(wait, () => {
      this.#turn();
    });
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
    return this.#parts.limit - this.#inFlight - this.#freeAt.length;
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
