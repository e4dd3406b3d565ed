import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';

const FIRST = 30 * SECOND;
const LONGEST = 15 * MINUTE;

/** The pause before an account's turn, and its end, in milliseconds. */
interface Rest {
  readonly pause: number;
  readonly until: number;
}

/** Longer and longer pauses between the attempts for one account, because each takes calls from its limit. */
export class Rests {
  readonly #clock: Clock;
  readonly #rests = new Map<string, Rest>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the account has begun a pause, over or not. */
  has(accountId: string): boolean {
    return this.#rests.has(accountId);
  }

  /** A pause that ends further ahead than its length began before the clock was set back. */
  isResting(accountId: string): boolean {
    const rest = this.#rests.get(accountId);
    if (rest === undefined) return false;
    const left = rest.until - this.#clock.now();
    return left > 0 && left <= rest.pause;
  }

  /** A pause twice as long as the last one. */
  lengthen(accountId: string): void {
    const last = this.#rests.get(accountId);
    const pause = Math.min(LONGEST, last === undefined ? FIRST : 2 * last.pause);
    this.#rests.set(accountId, { pause, until: this.#clock.now() + pause });
  }

  end(accountId: string): void {
    this.#rests.delete(accountId);
  }
}
