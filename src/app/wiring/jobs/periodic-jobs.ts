import { systemTimer, type Timer } from '../../../lib/time/timer.ts';

/** Work that is repeated while the bridge runs. */
export interface Periodic {
  /** Milliseconds between the end of one run and the start of the next. */
  readonly pause: number;
  /** Milliseconds before the first run, if different. */
  readonly first?: number | undefined;
  run(signal: AbortSignal): Promise<void>;
}

/** Runs the jobs side by side until it is stopped, and then waits for those in progress. */
export class PeriodicJobs {
  readonly #periodics: readonly Periodic[];
  readonly #timer: Timer;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(periodics: readonly Periodic[], timer = systemTimer) {
    this.#periodics = periodics;
    this.#timer = timer;
  }

  /**
   * Jobs with the same pause do not all begin at once, at the start or later: together they would keep callers waiting.
   */
  start(): void {
    const count = this.#periodics.length;
    for (const [place, periodic] of this.#periodics.entries()) {
      const { pause, first = pause * (1 - place / count / 2) } = periodic;
      this.#schedule(periodic, first);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  #schedule(periodic: Periodic, pause = periodic.pause): void {
    const { signal } = this.#stop;
    const cancel = this.#timer(pause, () => {
      const job = periodic.run(signal).finally(() => {
        this.#running.delete(job);
        if (!signal.aborted) this.#schedule(periodic);
      });
      this.#running.add(job);
    });
    signal.addEventListener('abort', cancel, { once: true });
  }
}
