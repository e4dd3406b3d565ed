import { SECOND, type Clock } from '../../lib/time/clock.ts';

/** The longest timer set at once (Node accepts at most 2^31 ms). */
const LONGEST_TIMER = 24 * 60 * 60 * SECOND;

/**
 * The service's own time: the base clock plus an offset that the control plane moves. All waits use this
 * clock, so moving it wakes them.
 */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  readonly #sleepers = new Set<() => void>();
  #offset: number;

  constructor(base: Clock, offset = 0) {
    this.#base = base;
    this.#offset = offset;
  }

  now(): number {
    return this.#base.now() + this.#offset;
  }

  /** Milliseconds between the base clock and this one. */
  get offset(): number {
    return this.#offset;
  }

  set(instant: number): void {
    this.moveTo(instant - this.#base.now());
  }

  advance(milliseconds: number): void {
    this.moveTo(this.#offset + milliseconds);
  }

  moveTo(offset: number): void {
    this.#offset = offset;
    for (const wake of [...this.#sleepers]) wake();
  }

  /** Waits until `milliseconds` have passed on this clock or the signal aborts. Never rejects. */
  async wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const until = this.now() + milliseconds;
    while (this.now() < until && signal?.aborted !== true) await this.#doze(until - this.now(), signal);
  }

  #doze(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(milliseconds, 1), LONGEST_TIMER));
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
