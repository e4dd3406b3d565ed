import type { Clock } from '../../lib/time/clock.ts';

/** A clock that stands still until it is moved, so that the past is written with the times at which it was. */
export class PastClock implements Clock {
  #now: number;

  /** `now`: milliseconds since the epoch. */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Wherever it stood before: for the beginning of the past, and for what happens beside it. */
  standAt(at: number): void {
    this.#now = at;
  }

  /** Never back. */
  moveTo(at: number): void {
    this.#now = Math.max(this.#now, at);
  }
}
