/**
 * Keeps the bridge within the service's limit of 60 calls in a rolling minute, per key: client id and organisation (V2
 * specification, "Limits"; docs/decisions/limits/0004-rate-limit-slots.md).
 *
 * A slot is taken before a request leaves and is free a minute after its exchange has ended: answered, closed
 * by the service, or so old that the service no longer handles it. The service counts a request somewhere in
 * between, so none of its rolling minutes contains more than the limit. Writes go first; calls of one kind
 * are first come, first served. A call that cannot go within its patience is refused at once, with the
 * seconds after which a retry makes sense.
 */
import { shareOf, type PermitHolder, type PermitPool } from './permit-pool.ts';
import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { PermitsInUse } from './written-permits.ts';
import type { Priority } from '../model.ts';
import { PermitsHeld } from './permits-held.ts';
import { LONGEST_BLOCK, PermitWindow } from './permit-window.ts';
import type { PermitReserve } from './permit-reserve.ts';
import type { Slot } from './slot.ts';
import type { Timer } from '../../lib/time/timer.ts';
import { gone } from './waiting/waiting-line.ts';

/** Dependencies of the rate limiter. */
export interface RateLimiterParts {
  readonly clock: Clock;
  /** Requests per rolling minute for one key (V2 specification, "Limits"). */
  readonly perMinute: number;
  /** Requests in progress at once for one key; undefined: any number. */
  readonly concurrent?: number | undefined;
  /** How many of them go at once, before they go one at a time; default: half. */
  readonly burst?: number | undefined;
  /** How long after it left an unanswered request may still be handled, in milliseconds. */
  readonly latestHandling?: number | undefined;
  /** Calls that may wait for one key. */
  readonly queue?: number | undefined;
  /** Calls that may wait in all. */
  readonly queues?: number | undefined;
  readonly timer?: Timer | undefined;
  /** Set if several instances share the limit; without it this instance has the whole limit. */
  readonly pool?: PermitPool | undefined;
  /** Set if what is in use must outlast this process; not if the limit is shared. */
  readonly reserve?: PermitReserve | undefined;
  /** Called with the time a call waited, in milliseconds, whether it got through or not. */
  readonly onWait?: ((millis: number) => void) | undefined;
}

const LATEST_HANDLING = 5 * MINUTE;
const QUEUE = 500;
const QUEUES = 20_000;
const SWEEP_FROM = 64;
/** How often unused permits are returned if the limit is shared, in milliseconds. */
const TIDY = 100;

/** Keeps a process alive that only waits, as a command may. */
const keepAliveTimer: Timer = (millis, callback) => {
  const timer = setTimeout(callback, millis);
  return () => {
    clearTimeout(timer);
  };
};

/** The rate limiter of one process, for all keys. */
export class RateLimiter {
  readonly #parts: RateLimiterParts;
  readonly #windows = new Map<string, PermitWindow>();
  #waiting = 0;
  #sweepAt = SWEEP_FROM;
  #cancelTidy: (() => void) | undefined;
  #closed = false;

  constructor(parts: RateLimiterParts) {
    this.#parts = parts;
    parts.pool?.serves(this.#holder());
    parts.reserve?.serves({
      use: (key) => this.#windows.get(key)?.use ?? { inUse: 0, unanswered: 0 },
      reserved: (key) => this.#windows.get(key)?.changed(),
    });
  }

  /** A slot of the key, if one is free and nobody waits for it. */
  acquireAtOnce(key: string, signal?: AbortSignal): Slot | undefined {
    return signal?.aborted === true ? undefined : this.#windows.get(key)?.takeAtOnce();
  }

  /**
   * Resolves when the key has a free slot. Throws `Failure` budgetExhausted, with the seconds after which a
   * retry makes sense, as soon as it is clear that `waitMs` is too short; `busy` if too many wait in all.
   */
  async acquire(
    key: string,
    waitMs: number,
    signal?: AbortSignal,
    priority: Priority = 'read',
  ): Promise<Slot> {
    if (signal?.aborted === true) throw gone();
    const window = this.#window(key);
    const slot = window.takeAtOnce();
    if (slot !== undefined) return slot;
    this.#parts.pool?.begin();
    this.#tidyLater();
    if (this.#waiting >= (this.#parts.queues ?? QUEUES)) throw new Failure('busy', { retryAfter: 1 });
    this.#waiting += 1;
    const begun = performance.now();
    try {
      return await window.wait({ millis: waitMs, priority, signal });
    } finally {
      this.#waiting -= 1;
      this.#parts.onWait?.(performance.now() - begun);
    }
  }

  /** The service answered 429 for this key: nothing is sent for that long, in milliseconds. */
  block(key: string, millis: number): void {
    const pause = Math.min(millis, LONGEST_BLOCK);
    this.#window(key).block(pause);
    this.#parts.pool?.block(key, pause);
  }

  /** For a call that the service refused while others go on. Throws `Failure` if its caller gives up. */
  pause(millis: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        cancel();
        reject(gone());
      };
      const cancel = (this.#parts.timer ?? keepAliveTimer)(millis, () => {
        signal.removeEventListener('abort', leave);
        resolve();
      });
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Stops returning permits automatically. */
  close(): void {
    this.#closed = true;
    this.#cancelTidy?.();
  }

  /** Number of keys in memory; idle ones are dropped. */
  get size(): number {
    return this.#windows.size;
  }

  /** How many requests wait for a slot, and how many keys have sent something within the last minute. */
  get use(): { readonly waiting: number; readonly keys: number } {
    let keys = 0;
    for (const window of this.#windows.values()) if (!window.idle()) keys += 1;
    return { waiting: this.#waiting, keys };
  }

  /** The same by key. */
  get uses(): readonly { readonly key: string; readonly waiting: number; readonly idle: boolean }[] {
    return Array.from(this.#windows, ([key, window]) => ({
      key,
      waiting: window.waiting,
      idle: window.idle(),
    }));
  }

  /** How long something that was sent may still count at the service, in milliseconds. */
  get countsFor(): number {
    return Math.max(0, ...Array.from(this.#windows.values(), (window) => window.countsFor));
  }

  /** What this process now uses of each key. */
  get permits(): ReadonlyMap<string, PermitsInUse> {
    return new Map(Array.from(this.#windows, ([key, window]) => [key, window.use]));
  }

  /** All windows, as the shared store asks for them. */
  #holder(): PermitHolder {
    const windows = this.#windows;
    return {
      freeze: () => Array.from(windows.values()).flatMap((window) => window.freeze()),
      over: (instances) =>
        Array.from(windows).flatMap(([key, window]) =>
          window.held > shareOf(this.#parts.perMinute, instances) ? [key] : [],
        ),
      countsFor: () => this.countsFor,
      pause: (key, millis) => windows.get(key)?.block(Math.min(millis, LONGEST_BLOCK)),
      changed: () => {
        for (const [key, window] of Array.from(windows)) {
          const pause = window.changed();
          if (pause > 0) this.#parts.pool?.block(key, pause);
        }
        this.#tidyLater();
      },
    };
  }

  /** Returns what is not in use, for as long as something is in use. */
  #tidyLater(): void {
    if (this.#parts.pool === undefined || this.#cancelTidy !== undefined || this.#closed) return;
    this.#cancelTidy = (this.#parts.timer ?? keepAliveTimer)(TIDY, () => {
      this.#cancelTidy = undefined;
      let more = false;
      for (const window of this.#windows.values()) if (window.tidy()) more = true;
      if (more) this.#tidyLater();
    });
  }

  #window(key: string): PermitWindow {
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    this.#sweep();
    const window = new PermitWindow({
      clock: this.#parts.clock,
      limit: this.#parts.perMinute,
      concurrent: this.#parts.concurrent,
      burst: this.#parts.burst,
      latestHandling: this.#parts.latestHandling ?? LATEST_HANDLING,
      reserve: this.#parts.reserve,
      queue: this.#parts.queue ?? QUEUE,
      timer: this.#parts.timer ?? keepAliveTimer,
      permitsHeld:
        this.#parts.pool && new PermitsHeld({ pool: this.#parts.pool, key, limit: this.#parts.perMinute }),
      key,
    });
    this.#windows.set(key, window);
    return window;
  }

  /**
   * Drops idle keys whenever their number has doubled: memory follows the keys in use, at negligible cost.
   */
  #sweep(): void {
    if (this.#windows.size < this.#sweepAt) return;
    for (const [key, window] of this.#windows) if (window.idle()) this.#windows.delete(key);
    this.#sweepAt = Math.max(SWEEP_FROM, 2 * this.#windows.size);
  }
}
