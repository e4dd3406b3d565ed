import { SECOND } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { systemTimer, type Timer } from '../../lib/timer.ts';

export interface PoolLimits {
  /** Connections in all. */
  readonly size: number;
  /** Of them at once for one account. */
  readonly share: number;
  /** How long a caller waits for one, in milliseconds. */
  readonly waitMs: number;
}

const CONNECTIONS = 128;

export const defaultLimits: PoolLimits = { size: CONNECTIONS, share: CONNECTIONS / 8, waitMs: 2 * SECOND };

export interface ConnectionPoolParts extends PoolLimits {
  /** Whether an account may hold no more than are free, so that many of them leave some to the next. */
  readonly reservesShare: boolean;
  readonly timer?: Timer | undefined;
}

interface Waiter {
  readonly grant: () => void;
  readonly refuse: (failure: Failure) => void;
}

/** What one account has of the pool. */
interface Use {
  used: number;
  readonly waiting: Set<Waiter>;
}

/**
 * Counts the connections to one upstream root. No account holds more than its share, so that a customer whose calls hang
 * leaves room for all others. A connection that comes free goes to the waiting account that holds fewest; among equals to
 * the one whose turn is longest ago, however many calls each of them has waiting.
 */
export class ConnectionPool {
  readonly #parts: ConnectionPoolParts;
  readonly #accounts = new Map<string, Use>();
  /** Accounts with calls that wait, the one whose turn is longest ago first. */
  readonly #queue = new Set<string>();
  #used = 0;
  #refused = 0;

  constructor(parts: ConnectionPoolParts) {
    this.#parts = parts;
  }

  /** `refused`: calls that waited in vain, so far. */
  get view(): { readonly used: number; readonly waiting: number; readonly refused: number } {
    let waiting = 0;
    for (const account of this.#queue) waiting += this.#accounts.get(account)?.waiting.size ?? 0;
    return { used: this.#used, waiting, refused: this.#refused };
  }

  /** Takes a connection if one is free for this account. */
  take(account: string): boolean {
    const use = this.#accounts.get(account);
    if (!this.#mayTake(use?.used ?? 0)) return false;
    this.#take(account, use ?? this.#enter(account));
    return true;
  }

  /**
   * Resolves with a connection taken. Throws `Failure` busy when none came free in time, upstreamUnavailable when the
   * caller gave up.
   */
  wait(account: string, signal: AbortSignal, waitMs = this.#parts.waitMs): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    if (signal.aborted) {
      reject(givenUp());
      return promise;
    }
    const use = this.#accounts.get(account) ?? this.#enter(account);
    const leave = (): void => {
      cancel();
      signal.removeEventListener('abort', aborted);
      this.#leave(account, use, waiter);
    };
    const waiter: Waiter = {
      grant: () => {
        leave();
        this.#take(account, use);
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
    use.waiting.add(waiter);
    this.#queue.add(account);
    return promise;
  }

  /** The connection serves somebody else. */
  release(account: string): void {
    const use = this.#accounts.get(account);
    if (use === undefined || use.used === 0) return;
    use.used -= 1;
    this.#used -= 1;
    this.#forget(account, use);
    while (this.#queue.size > 0 && this.#grantNext());
  }

  /** Whoever waits, waits in vain. */
  refuseWaiting(failure: () => Failure): void {
    const waiting = [...this.#queue].flatMap((account) => [...(this.#accounts.get(account)?.waiting ?? [])]);
    for (const waiter of waiting) waiter.refuse(failure());
  }

  /** An account that holds so many. */
  #mayTake(held: number): boolean {
    const { size, share, reservesShare } = this.#parts;
    const free = size - this.#used;
    return free > 0 && held < share && (!reservesShare || held < free);
  }

  #grantNext(): boolean {
    let next: { readonly account: string; readonly use: Use } | undefined;
    for (const account of this.#queue) {
      const use = this.#accounts.get(account);
      if (use === undefined || !this.#mayTake(use.used)) continue;
      if (next === undefined || use.used < next.use.used) next = { account, use };
    }
    const [first] = next?.use.waiting ?? [];
    if (next === undefined || first === undefined) return false;
    const { account, use } = next;
    first.grant();
    this.#queue.delete(account);
    if (use.waiting.size > 0) this.#queue.add(account);
    return true;
  }

  #enter(account: string): Use {
    const use: Use = { used: 0, waiting: new Set() };
    this.#accounts.set(account, use);
    return use;
  }

  #take(account: string, use: Use): void {
    use.used += 1;
    this.#used += 1;
    this.#accounts.set(account, use);
  }

  #leave(account: string, use: Use, waiter: Waiter): void {
    use.waiting.delete(waiter);
    if (use.waiting.size === 0) this.#queue.delete(account);
    this.#forget(account, use);
  }

  #forget(account: string, use: Use): void {
    if (use.used === 0 && use.waiting.size === 0) this.#accounts.delete(account);
  }
}

const noneFree = (waitMs: number): Failure =>
  new Failure('busy', {
    text: 'No connection to the service came free in time: nothing was sent. Try again later',
    retryAfter: Math.max(1, Math.ceil(waitMs / SECOND)),
  });

const givenUp = (): Failure => new Failure('upstreamUnavailable', { text: 'The call was given up' });
