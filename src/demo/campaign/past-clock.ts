import type { Clock } from '../../lib/time/clock.ts';

/** A clock that stands still until it is moved, so that past events are recorded with their own times. */
export class PastClock implements Clock {
  #now: number;

  /** `now`: milliseconds since the epoch. */
  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** Sets the time, earlier or later: for the beginning of the past, and for events outside its order. */
  standAt(at: number): void {
    this.#now = at;
  }

  /** Moves forward only. */
  moveTo(at: number): void {
    this.#now = Math.max(this.#now, at);
  }
}
