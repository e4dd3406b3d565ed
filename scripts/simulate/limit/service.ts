import type { Clock } from '../../../src/lib/time/clock.ts';

const WINDOW = 60_000;

/** The service: counts a request when it handles it, even if its caller no longer waits. */
export class Service {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #handled = new Map<string, { at: number; who: string }[]>();
  handled = 0;
  overLimit = 0;
  /** The largest number in any rolling minute. */
  most = 0;
  /** The events before the first request too many, in words. */
  history: readonly string[] = [];

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  handle(key: string, who: string): void {
    const now = this.#clock.now();
    const minute = (this.#handled.get(key) ?? []).filter(({ at }) => at > now - WINDOW);
    minute.push({ at: now, who });
    this.#handled.set(key, minute);
    this.handled += 1;
    this.most = Math.max(this.most, minute.length);
    if (minute.length <= this.#limit) return;
    this.overLimit += 1;
    if (this.history.length > 0) return;
    const words = minute.map((one) => `${((one.at - now) / 1_000).toFixed(3)} s: ${one.who}`);
    this.history = [`${key}: ${minute.length} requests handled within a minute`, ...words];
  }
}
