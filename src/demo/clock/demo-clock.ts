/**
 * Time in a demo. Periodic jobs wait by `timer`, and everything else asks `now`, so that moving the clock is all it takes:
 * what falls due runs at once, in the order in which it would have. Nothing of it is used outside the demo; the bridge
 * gets it where it is composed, in place of the machine's clock.
 */
import type { Clock } from '../../lib/time/clock.ts';
import type { Timer } from '../../lib/time/timer.ts';

/** In milliseconds: a job that takes longer goes on while the clock moves. */
const LONGEST_WORK = 5_000;
/** Node accepts at most 2^31 - 1 ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A timer that has not run yet. */
interface Waiting {
  readonly at: number;
  readonly run: () => void;
  handle?: NodeJS.Timeout;
}

/** How a clock moves, if not as usual. */
export interface ClockTerms {
  /** Its base stands still, too: nothing runs but what `advance` calls back. */
  readonly isStill?: boolean;
  /** For how many milliseconds `advance` waits for jobs. */
  readonly longestWork?: number;
}

/** The machine's clock plus an offset that only grows, with the timer that belongs to it. */
export class DemoClock implements Clock {
  readonly #base: Clock;
  readonly #terms: ClockTerms;
  readonly #waiting = new Set<Waiting>();
  #offset: number;
  #added: () => void = () => undefined;

  /** `offset`: milliseconds by which it is ahead of `base`. */
  constructor(base: Clock, offset = 0, terms: ClockTerms = {}) {
    this.#base = base;
    this.#terms = terms;
    this.#offset = offset;
  }

  now(): number {
    return this.#base.now() + this.#offset;
  }

  /** Calls back once that much of this clock's time has passed; keeps no process alive. */
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
   * Moves the clock forward and calls back everything that is due then. Resolves when as many timers wait as before,
   * which is when every periodic job has ended and waits for its next run, or when that takes longer than the longest work.
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

  /** It neither runs nor counts any more. */
  #end(waiting: Waiting): void {
    clearTimeout(waiting.handle);
    this.#waiting.delete(waiting);
  }

  /** Resolves when so many timers wait again, or when that takes too long. */
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
