/** Work that is due for one grant. */
export interface Task {
  readonly grantId: string;
  /** After this the grant cannot be saved any more, in milliseconds since the epoch. */
  readonly deadline: number;
  run(): Promise<void>;
}

/** How many grants are processed at once; `expected` is how long one takes, in milliseconds. */
export interface BacklogRules {
  /** Tasks that run at once while there is enough time. */
  readonly least: number;
  /** The maximum, however little time is left. */
  readonly most: number;
  /** How long a task is assumed to take before any has ended, in milliseconds. */
  readonly expected: number;
}

/** Weight of the last task in the mean of how long they take. */
const WEIGHT = 1 / 16;
/**
 * As a share of the expected time: a task that ends sooner found nothing to do, and says nothing about the
 * others.
 */
const NOTHING_SENT = 1 / 1_000;
/** A task that gets no answer has to be run again. */
const RUNS = 2;

/**
 * How many tasks must run at once so that each ends before its deadline, the most urgent first. `deadlines`
 * ascend; expired ones do not count.
 */
export const workersNeeded = (deadlines: readonly number[], now: number, each: number): number =>
  deadlines
    .filter((deadline) => deadline > now)
    .reduce((most, deadline, index) => Math.max(most, ((index + 1) * each) / (deadline - now)), 0);

/**
 * Runs tasks by deadline. A free slot is taken at once: nobody waits for the slowest. The number of slots
 * doubles with every offer that finds tasks still waiting, immediately becomes as many as the deadlines
 * demand, and is small again when nothing waits. So a server that has just come back is not hit by all at
 * once.
 */
export class Backlog {
  readonly #rules: BacklogRules;
  readonly #now: () => number;
  #waiting: Task[] = [];
  readonly #running = new Set<string>();
  #each: number;
  #workers: number;
  readonly #waitingForIdle: (() => void)[] = [];

  constructor(rules: BacklogRules, now: () => number) {
    this.#rules = rules;
    this.#now = now;
    this.#each = rules.expected;
    this.#workers = rules.least;
  }

  /** Tasks waiting for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Replaces everything that was still waiting. Returns whether all of it can end in time. */
  offer(tasks: readonly Task[]): 'in time' | 'too late' {
    const now = this.#now();
    const wasBehind = this.#waiting.length > 0;
    // After a long stop a grant may be due for several reasons: its most urgent task comes first, the others later.
    const taken = new Set(this.#running);
    const byDeadline = tasks
      .toSorted((a, b) => a.deadline - b.deadline)
      .filter(({ grantId }) => !taken.has(grantId) && taken.add(grantId));
    // What cannot be saved any more must not take a slot from what can.
    this.#waiting = [
      ...byDeadline.filter(({ deadline }) => deadline > now),
      ...byDeadline.filter(({ deadline }) => deadline <= now),
    ];
    const deadlines = byDeadline.map(({ deadline }) => deadline);
    const needed = Math.ceil(workersNeeded(deadlines, now, this.#each * RUNS));
    const { least, most } = this.#rules;
    this.#workers = Math.min(most, Math.max(wasBehind ? this.#workers * 2 : least, needed));
    this.#fill();
    return needed > most ? 'too late' : 'in time';
  }

  /** Resolves when nothing waits and nothing runs. */
  async idle(): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => this.#waitingForIdle.push(resolve));
  }

  #fill(): void {
    while (this.#running.size < this.#workers) {
      const task = this.#waiting.shift();
      if (task === undefined) return;
      this.#running.add(task.grantId);
      void this.#run(task);
    }
  }

  async #run(task: Task): Promise<void> {
    const begun = performance.now();
    try {
      await task.run();
    } finally {
      this.#measure(performance.now() - begun);
      this.#running.delete(task.grantId);
      this.#fill();
      if (this.#running.size === 0) for (const resolve of this.#waitingForIdle.splice(0)) resolve();
    }
  }

  #measure(lasted: number): void {
    if (lasted > this.#rules.expected * NOTHING_SENT) this.#each += WEIGHT * (lasted - this.#each);
  }
}
