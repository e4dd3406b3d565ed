import { SECOND } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { systemTimer, type Timer } from '../../lib/time/timer.ts';

/** How many connections one upstream root may have, and one account of them. */
export interface PoolLimits {
  /** Connections in all. */
  readonly size: number;
  /** Of those, at once for one account. */
  readonly share: number;
  /** How long a caller waits for one, in milliseconds. */
  readonly waitMs: number;
}

/** Callers with unknown keys have one share together, because only they themselves say who they are. */
export const UNKNOWN_KEYS = 'strangers';
/** The bridge's own reads of V1, for any account. */
export const LEARNING = 'learning';

/** Shares of many accounts: what happens to one says nothing about the others. */
export const SHARED: ReadonlySet<string> = new Set([UNKNOWN_KEYS, LEARNING]);

const CONNECTIONS = 128;

export const defaultLimits: PoolLimits = { size: CONNECTIONS, share: CONNECTIONS / 8, waitMs: 2 * SECOND };

export interface ConnectionPoolParts extends PoolLimits {
  /** Whether an account may hold no more than are free, so that many accounts leave some to the next. */
  readonly reservesShare: boolean;
  readonly timer?: Timer | undefined;
}

interface Waiter {
  readonly grant: () => void;
  readonly refuse: (failure: Failure) => void;
}

/**
 * Counts the connections to one upstream root. No account holds more than its share, so that a customer whose
 * calls hang leaves room for all others. A freed connection goes to the waiting account that holds fewest;
 * among equals, to the one that has waited longest for a turn, however many calls each has waiting.
 */
export class ConnectionPool {
  readonly #parts: ConnectionPoolParts;
  /** Connections of each account that has any. */
  readonly #held = new Map<string, number>();
  /** Waiting calls by account; the account that has waited longest for a turn first. */
  readonly #queue = new Map<string, Set<Waiter>>();
  #used = 0;
  #refused = 0;

  constructor(parts: ConnectionPoolParts) {
    this.#parts = parts;
  }

  /** `refused`: calls that waited in vain so far. */
  get view(): { readonly used: number; readonly waiting: number; readonly refused: number } {
    let waiting = 0;
    for (const waiters of this.#queue.values()) waiting += waiters.size;
    return { used: this.#used, waiting, refused: this.#refused };
  }

  /** Takes a connection if one is free for this account. */
  take(account: string): boolean {
    const held = this.#held.get(account) ?? 0;
    if (!this.#mayTake(held)) return false;
    this.#held.set(account, held + 1);
    this.#used += 1;
    return true;
  }

  /**
   * Resolves with a connection taken. Throws `Failure` busy if none became free in time, upstreamUnavailable
   * if the caller gave up.
   */
  wait(account: string, signal: AbortSignal, waitMs = this.#parts.waitMs): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    if (signal.aborted) {
      reject(givenUp());
      return promise;
    }
    const waiters = this.#queue.get(account) ?? new Set();
    const leave = (): void => {
      cancel();
      signal.removeEventListener('abort', aborted);
      waiters.delete(waiter);
      if (waiters.size === 0) this.#queue.delete(account);
    };
    const waiter: Waiter = {
      grant: () => {
        leave();
        this.take(account);
        resolve(undefined);
      },
      refuse: (failure) => {
        leave();
        reject(failure);
      },
    };
    const aborted = (): void => {
      waiter.refuse(givenUp());
    };
    const cancel = (this.#parts.timer ?? systemTimer)(waitMs, () => {
      this.#refused += 1;
      waiter.refuse(noneFree(this.#parts.waitMs));
    });
    signal.addEventListener('abort', aborted);
    this.#queue.set(account, waiters.add(waiter));
    return promise;
  }

  /** The connection may serve another account. */
  release(account: string): void {
    const held = this.#held.get(account);
    if (held === undefined) return;
    if (held === 1) this.#held.delete(account);
    else this.#held.set(account, held - 1);
    this.#used -= 1;
    while (this.#queue.size > 0 && this.#grantNext());
  }

  /** Fails all waiting calls. */
  refuseWaiting(failure: () => Failure): void {
    const waiting = [...this.#queue.values()].flatMap((waiters) => [...waiters]);
    for (const waiter of waiting) waiter.refuse(failure());
  }

  /** Whether an account that holds this many may take another. */
  #mayTake(held: number): boolean {
    const { size, share, reservesShare } = this.#parts;
    const free = size - this.#used;
    return free > 0 && held < share && (!reservesShare || held < free);
  }

  #grantNext(): boolean {
    let next: { readonly account: string; readonly held: number; readonly waiters: Set<Waiter> } | undefined;
    for (const [account, waiters] of this.#queue) {
      const held = this.#held.get(account) ?? 0;
      if (this.#mayTake(held) && (next === undefined || held < next.held)) next = { account, held, waiters };
    }
    const [first] = next?.waiters ?? [];
    if (next === undefined || first === undefined) return false;
    const { account, waiters } = next;
    first.grant();
    this.#queue.delete(account);
    if (waiters.size > 0) this.#queue.set(account, waiters);
    return true;
  }
}

const noneFree = (waitMs: number): Failure =>
  new Failure('busy', {
    text: 'No connection to the service came free in time: nothing was sent. Try again later',
    retryAfter: Math.max(1, Math.ceil(waitMs / SECOND)),
  });

const givenUp = (): Failure => new Failure('upstreamUnavailable', { text: 'The call was given up' });
