import { HOUR, type Clock } from '../../lib/time/clock.ts';
import type { Destination } from '../../upstream/model.ts';

/** In milliseconds: how long an account is not checked again. */
const BETWEEN_QUESTIONS = HOUR;
/** Most accounts that are remembered: if the service forbids everybody everything, it is not asked about each. */
const MOST = 1_000;

/** Accounts with a call that the service has forbidden, each once an hour. In memory: a later call notes it again. */
export class ForbiddenCalls {
  readonly #clock: Clock;
  /** When each account was noted; the oldest comes first. */
  readonly #noted = new Map<string, number>();
  readonly #waiting = new Map<string, Destination>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds no more than this note to the call. */
  readonly note = (to: Destination): void => {
    const now = this.#clock.now();
    this.#forget(now);
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

  /** A note from the time ahead, before the clock was set right, is as old as any. */
  #forget(now: number): void {
    for (const [account, at] of this.#noted) {
      if (at <= now && at > now - BETWEEN_QUESTIONS) return;
      this.#noted.delete(account);
    }
  }
}
