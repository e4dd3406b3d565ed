import { HOUR, type Clock } from '../../lib/time/clock.ts';
import type { Destination } from '../../upstream/model.ts';

/** How long nothing more is asked about an account. */
const BETWEEN_QUESTIONS = HOUR;
/** Accounts that are remembered: a service that forbids everybody everything is not asked about each. */
const MOST = 1_000;

/** Accounts of which the service has forbidden a call, each once an hour. In memory: a later call tells again. */
export class ForbiddenCalls {
  readonly #clock: Clock;
  /** When each account was noted; the oldest come first. */
  readonly #noted = new Map<string, number>();
  readonly #waiting = new Map<string, Destination>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Costs a call nothing but this note. */
  readonly note = (to: Destination): void => {
    const now = this.#clock.now();
    this.#forget(now - BETWEEN_QUESTIONS);
    if (this.#noted.has(to.accountId) || this.#noted.size >= MOST) return;
    this.#noted.set(to.accountId, now);
    this.#waiting.set(to.accountId, to);
  };

  /** The destination that has waited longest; each is given out once. */
  next(): Destination | undefined {
    const [first] = this.#waiting.values();
    if (first !== undefined) this.#waiting.delete(first.accountId);
    return first;
  }

  #forget(before: number): void {
    for (const [account, at] of this.#noted) {
      if (at > before) return;
      this.#noted.delete(account);
    }
  }
}
