import { MINUTE, SECOND } from '../../lib/time/clock.ts';

/** Tokens are refreshed minutes before their end, by this machine's clock; half a minute is harmless. */
const TOLERANCE = 30 * SECOND;
/** A single answer may come from a cache. */
const SAMPLES = 3;
const BETWEEN_SAMPLES = 10 * SECOND;
/** An answer that took longer says too little about the current time. */
const LONGEST_QUESTION = 5 * SECOND;
/** Older samples are useless: the clock may have been set. */
const OLDEST_SAMPLE = 10 * MINUTE;

interface Sample {
  readonly at: number;
  /** The milliseconds by which this machine is ahead. */
  readonly ahead: number;
}

/** The error of this machine's clock, judged by the clocks of servers that answer anyway. */
export class ClockCheck {
  readonly #now: () => number;
  readonly #steady: () => number;
  #service: readonly Sample[] = [];
  #database: Sample | undefined;
  /** The time, by the steady clock, from which another `Date` is needed: one every ten seconds. Only changed here. */
  dueAt = -Infinity;

  /** `now`: the clock to check. `steady`: elapsed milliseconds, unaffected by setting that clock. */
  constructor(now: () => number, steady: () => number = () => performance.now()) {
    this.#now = now;
    this.#steady = steady;
  }

  /** Takes the `Date` of an answer that has just arrived. */
  heard(date: string | undefined): void {
    const at = this.#steady();
    if (date === undefined || at < this.dueAt) return;
    this.dueAt = at + BETWEEN_SAMPLES;
    const told = Date.parse(date);
    // Whole seconds, truncated.
    if (Number.isFinite(told))
      this.#service = [...this.#service, { at, ahead: this.#now() - told - SECOND / 2 }].slice(-SAMPLES);
  }

  /** Asks a database on another machine. Never rejects: its outages are found elsewhere. */
  async ask(database: () => Promise<number | undefined>): Promise<void> {
    const begun = this.#steady();
    const told = await database().catch(() => undefined);
    const at = this.#steady();
    if (told === undefined || at - begun > LONGEST_QUESTION) return;
    this.#database = { at, ahead: this.#now() - (at - begun) / 2 - told };
  }

  /** A text for the operator; undefined: the clock agrees with every server. */
  get trouble(): string | undefined {
    const since = this.#steady() - OLDEST_SAMPLE;
    const service = this.#service.filter(({ at }) => at >= since).map(({ ahead }) => ahead);
    const database = this.#database !== undefined && this.#database.at >= since ? [this.#database.ahead] : [];
    const found = [
      { whose: "the database's", ahead: database.length === 0 ? 0 : median(database) },
      { whose: "the service's", ahead: service.length < SAMPLES ? 0 : median(service) },
    ].find(({ ahead }) => Math.abs(ahead) > TOLERANCE);
    if (found === undefined) return undefined;
    const seconds = Math.round(Math.abs(found.ahead) / SECOND);
    return `this machine's clock is ${seconds} s ${found.ahead > 0 ? 'ahead of' : 'behind'} ${found.whose}: expired tokens may be taken for valid ones`;
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
