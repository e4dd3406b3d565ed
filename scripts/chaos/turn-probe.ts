export interface Turns {
  /** Milliseconds of processor time of this thread: of the longest turn of the event loop, and of all turns. */
  readonly longest: number;
  readonly total: number;
  readonly turns: number;
}

/** Observes every turn of this thread's event loop until it is stopped. */
export class TurnProbe {
  #before = cpu();
  #longest = 0;
  #total = 0;
  #turns = 0;
  #stopped = false;

  constructor() {
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    if (this.#stopped) return;
    const now = cpu();
    this.#longest = Math.max(this.#longest, now - this.#before);
    this.#total += now - this.#before;
    this.#turns += 1;
    this.#before = now;
    setImmediate(this.#turn);
  };

  stop(): Turns {
    this.#turn();
    this.#stopped = true;
    return { longest: this.#longest, total: this.#total, turns: this.#turns };
  }
}

function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
