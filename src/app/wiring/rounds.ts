/** Something that is done again and again while the bridge runs. */
export interface Periodic {
  /** Milliseconds between the end of one round and the beginning of the next. */
  readonly pause: number;
  /** Before the first round, where that is not to wait as long. */
  readonly first?: number | undefined;
  run(signal: AbortSignal): Promise<void>;
}

/** Runs rounds side by side until it is stopped; one that is under way then is waited for. */
export class Rounds {
  readonly #periodics: readonly Periodic[];
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(periodics: readonly Periodic[]) {
    this.#periodics = periodics;
  }

  start(): void {
    for (const periodic of this.#periodics) this.#schedule(periodic, periodic.first);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  #schedule(periodic: Periodic, pause = periodic.pause): void {
    const { signal } = this.#stop;
    const timer = setTimeout(() => {
      const round = periodic.run(signal).finally(() => {
        this.#running.delete(round);
        if (!signal.aborted) this.#schedule(periodic);
      });
      this.#running.add(round);
    }, pause);
    timer.unref();
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
      },
      { once: true },
    );
  }
}
