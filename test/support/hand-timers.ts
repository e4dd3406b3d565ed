import { HandClock } from './clock.ts';

/** Timers that ring when the hand-moved clock passes them. */
export class HandTimers {
  readonly clock = new HandClock();
  #due: { at: number; ring: () => void }[] = [];
  readonly #settle: () => Promise<void>;

  /** `settle`: resolves when everything that was set off has come to rest. */
  constructor(settle: () => Promise<void> = turn) {
    this.#settle = settle;
  }

  readonly timer = (millis: number, callback: () => void): (() => void) => {
    const entry = { at: this.clock.now() + millis, ring: callback };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  };

  get pending(): number {
    return this.#due.length;
  }

  /** From one timer that is due to the next, with time for what each sets off. */
  async advance(millis: number): Promise<void> {
    await this.#settle();
    const end = this.clock.now() + millis;
    while (this.#ringNext(end)) await this.#settle();
    this.clock.advance(end - this.clock.now());
    await this.#settle();
  }

  /** The same in one go. */
  advanceNow(millis: number): void {
    const end = this.clock.now() + millis;
    while (this.#ringNext(end)) continue;
    this.clock.advance(end - this.clock.now());
  }

  /** Whether one was due by then. */
  #ringNext(end: number): boolean {
    const next = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
    if (next === undefined) return false;
    this.#due = this.#due.filter((other) => other !== next);
    this.clock.advance(Math.max(0, next.at - this.clock.now()));
    next.ring();
    return true;
  }
}

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
