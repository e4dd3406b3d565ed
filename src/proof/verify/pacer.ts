import { MINUTE, type Clock } from '../../lib/time/clock.ts';

/** Limits the calls of one run per minute: the rest of the rate limit belongs to the customers. */
export class Pacer {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #pause: (millis: number) => Promise<unknown>;
  #times: number[] = [];

  constructor(clock: Clock, perMinute: number, pause: (millis: number) => Promise<unknown>) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#pause = pause;
  }

  /** Waits for a free slot; resolves with the number of calls within the last minute, including this one. */
  async turn(): Promise<number> {
    for (;;) {
      const now = this.#clock.now();
      this.#times = this.#times.filter((at) => at > now - MINUTE);
      const [first] = this.#times;
      if (first === undefined || this.#times.length < this.#perMinute) break;
      await this.#pause(first + MINUTE - now);
    }
    return this.#times.push(this.#clock.now());
  }

  /** Waits as long as the service, or the bridge's own limit, asks for, in milliseconds. */
  async wait(millis: number): Promise<void> {
    await this.#pause(millis);
  }
}
