/**
 * Time in a demo. Periodic jobs wait on `timer`, and everything else asks `now`, so that moving the clock is
 * all it takes: whatever is due runs at once, in its usual order. Used only in the demo, where the bridge is
 * composed with it instead of the machine's clock.
 */
import type { Clock } from '../../lib/time/clock.ts';
import type { Timer } from '../../lib/time/timer.ts';

/** In milliseconds: a job that takes longer continues while the clock moves. */
const LONGEST_WORK = 5_000;
/** Node accepts at most 2^31 - 1 ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A timer that has not fired yet. */
interface Waiting {
  readonly at: number;
  readonly run: () => void;
  handle?: NodeJS.Timeout;
}

/** How a clock moves, where that differs from the default. */
export interface ClockTerms {
  /** The base stands still too: only `advance` calls anything back. */
  readonly isStill?: boolean;
  /** How long `advance` waits for jobs, in milliseconds. */
  readonly longestWork?: number;
}

/** The machine's clock plus an offset that only grows, with the timer that belongs to it. */
export class DemoClock implements Clock {
  readonly #base: Clock;
  readonly #terms: ClockTerms;
  readonly #waiting = new Set<Waiting>();
  #offset: number;
  #added: () => void = () => undefined;

  /** `offset`: milliseconds ahead of `base`. */
  constructor(base: Clock, offset = 0, terms: ClockTerms = {}) {
    this.#base = base;
    this.#terms = terms;
    this.#offset = offset;
  }

  now(): number {
    return this.#base.now() + this.#offset;
  }

  /** Calls back once `millis` of this clock's time have passed; does not keep the process alive. */
  readonly timer: Timer = (millis, run) => {
    const waiting: Waiting = { at: this.now() + Math.max(0, millis), run };
    if (this.#terms.isStill !== true)
      waiting.handle = setTimeout(
        () => {
          this.#end(waiting);
          run();
        },
        Math.min(Math.max(0, millis), LONGEST_TIMER),
      ).unref();
    this.#waiting.add(waiting);
    this.#added();
    return () => {
      this.#end(waiting);
    };
  };

  /**
   * Moves the clock forward and calls back everything that is due then. Resolves once as many timers wait as
   * before, because then every periodic job has ended and waits for its next run, or once the longest work
   * time has passed.
   */
  async advance(millis: number): Promise<void> {
    const before = this.#waiting.size;
    this.#offset += millis;
    const now = this.now();
    const due = [...this.#waiting].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
    for (const waiting of due) this.#end(waiting);
    const rest = this.#refilled(before);
    for (const { run } of due) run();
    await rest;
  }

  /** Cancels the timer and no longer counts it. */
  #end(waiting: Waiting): void {
    clearTimeout(waiting.handle);
    this.#waiting.delete(waiting);
  }

  /** Resolves once `count` timers wait again, or after the longest work time. */
  #refilled(count: number): Promise<void> {
    if (this.#waiting.size >= count) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(limit);
        this.#added = () => undefined;
        resolve();
      };
      const limit = setTimeout(done, this.#terms.longestWork ?? LONGEST_WORK);
      this.#added = () => {
        if (this.#waiting.size >= count) done();
      };
    });
  }
}
