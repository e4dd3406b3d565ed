/**
 * What a brown-out does to calls: reads of an account that still uses V1 are refused while it lasts, with the reason; until
 * then its replies say when. Whether a call is a read the mapping says, never its verb.
 */
import { brownoutOf, type Account } from '../features/accounts/account.ts';
import { Failure } from '../lib/failure.ts';
import { SECOND, type Clock } from '../lib/time/clock.ts';
import type { Method } from '../mapping/compile/model.ts';
import { isRead } from '../mapping/compile/reads.ts';

/** What the gate works with. */
export interface BrownoutsParts {
  readonly methods: readonly Method[];
  /** Adds to what is stored. */
  readonly count: (accountId: string, count: number, at: number) => Promise<void>;
  /** Writes of one account soon, once, however often it is asked. */
  readonly later: (accountId: string, write: () => Promise<void>) => void;
  readonly clock: Clock;
}

/** Reads of one account that were refused and are not stored yet. */
interface Refusals {
  readonly count: number;
  readonly firstAt: number;
}

/** Refuses reads, and counts them. */
export class Brownouts {
  readonly #parts: BrownoutsParts;
  readonly #reads: ReadonlySet<string>;
  readonly #refused = new Map<string, Refusals>();

  constructor(parts: BrownoutsParts) {
    this.#parts = parts;
    this.#reads = new Set(parts.methods.filter(isRead).map(({ id }) => id));
  }

  /** Throws `Failure` brownout for a read within the window. */
  check(account: Account, method: string | undefined): void {
    const now = this.#parts.clock.now();
    const window = brownoutOf(account, now);
    if (window === undefined || now < window.from || !this.#reads.has(method ?? '')) return;
    this.#note(account.id, now);
    throw new Failure('brownout', { retryAfter: Math.ceil((window.to - now) / SECOND) });
  }

  /** Many refusals become one write; a process that is killed loses those of the last moment. */
  #note(accountId: string, now: number): void {
    const { count = 0, firstAt = now } = this.#refused.get(accountId) ?? {};
    this.#refused.set(accountId, { count: count + 1, firstAt });
    this.#parts.later(accountId, async () => {
      const refusals = this.#refused.get(accountId);
      this.#refused.delete(accountId);
      if (refusals !== undefined) await this.#parts.count(accountId, refusals.count, refusals.firstAt);
    });
  }
}
