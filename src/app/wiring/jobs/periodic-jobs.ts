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
  /** Cancels the next run of each job. */
  readonly #cancels = new Map<Periodic, () => void>();

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
    for (const cancel of this.#cancels.values()) cancel();
    await Promise.all(this.#running);
  }

  #schedule(periodic: Periodic, pause = periodic.pause): void {
    const { signal } = this.#stop;
    // A listener of the stop signal for each run would stay until the stop: some 400,000 a day.
    const cancel = this.#timer(pause, () => {
      const job = periodic.run(signal).finally(() => {
        this.#running.delete(job);
        if (!signal.aborted) this.#schedule(periodic);
      });
      this.#running.add(job);
    });
    this.#cancels.set(periodic, cancel);
  }
}
