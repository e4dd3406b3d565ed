import type { Timer } from '../../src/lib/time/timer.ts';
import type { HandClock } from '../tokens/harness.ts';

/** Timers that run when the clock is moved by hand, in their order. */
export class HandTimers {
  readonly clock: HandClock;
  #timers: { readonly at: number; readonly callback: () => void }[] = [];

  constructor(clock: HandClock) {
    this.clock = clock;
  }

  readonly timer: Timer = (millis, callback) => {
    const entry = { at: this.clock.now() + millis, callback };
    this.#timers.push(entry);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== entry);
    };
  };

  get pending(): number {
    return this.#timers.length;
  }

  /** Moves the clock on, from one timer that is due to the next. */
  advance(millis: number): void {
    const end = this.clock.now() + millis;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.clock.advance(Math.max(0, next.at - this.clock.now()));
      next.callback();
    }
    this.clock.advance(end - this.clock.now());
  }
}
