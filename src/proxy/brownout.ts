/**
 * Brown-outs: while one lasts, reads of an account that still uses V1 are refused with the reason; before it begins,
 * replies announce it. The mapping decides whether a call is a read, never its verb.
 */
import { brownoutOf, type Account } from '../features/accounts/account.ts';
import { Failure } from '../lib/failure.ts';
import { SECOND, type Clock } from '../lib/time/clock.ts';
import type { Method } from '../mapping/compile/model.ts';
import { isRead } from '../mapping/compile/reads.ts';
import type { LegacyCall } from './call/call.ts';

export interface BrownoutsParts {
  readonly methods: readonly Method[];
  /** Adds to the stored count. */
  readonly count: (accountId: string, count: number, at: number) => Promise<void>;
  /** Runs the write soon, and again after an outage; only once for a key, however often it is requested meanwhile. */
  readonly later: (key: string, write: () => Promise<void>) => void;
  readonly clock: Clock;
}

/** Refused reads of one account that are written together. */
interface Refusals {
  readonly key: string;
  readonly firstAt: number;
  count: number;
}

/** Refuses reads, and counts them. */
export class Brownouts {
  readonly #parts: BrownoutsParts;
  readonly #reads: ReadonlySet<string>;
  /** By account, the batch that still accepts refusals. */
  readonly #refused = new Map<string, Refusals>();
  #batches = 0;

  constructor(parts: BrownoutsParts) {
    this.#parts = parts;
    this.#reads = new Set(parts.methods.filter(isRead).map(({ id }) => id));
  }

  /**
   * Throws `Failure` brownout for a program's read within the window. The bridge still looks for the outcome of writes,
   * which are never refused.
   */
  check(account: Account, { isOwn, trace: { method } }: Pick<LegacyCall, 'isOwn' | 'trace'>): void {
    if (isOwn === true) return;
    const now = this.#parts.clock.now();
    const window = brownoutOf(account, now);
    if (window === undefined || now < window.from || !this.#reads.has(method ?? '')) return;
    this.#note(account.id, now);
    throw new Failure('brownout', { retryAfter: Math.ceil((window.to - now) / SECOND) });
  }

  /** Combines many refusals into one write; if the process is killed, the most recent ones are lost. */
  #note(accountId: string, now: number): void {
    const refusals = this.#refused.get(accountId) ?? this.#batch(accountId, now);
    refusals.count += 1;
    this.#parts.later(refusals.key, async () => {
      // Later refusals get a write of their own: this one may have to be repeated.
      if (this.#refused.get(accountId) === refusals) this.#refused.delete(accountId);
      await this.#parts.count(accountId, refusals.count, refusals.firstAt);
    });
  }

  #batch(accountId: string, firstAt: number): Refusals {
    this.#batches += 1;
    const refusals = { key: `${accountId} ${this.#batches}`, firstAt, count: 0 };
    this.#refused.set(accountId, refusals);
    return refusals;
  }
}
