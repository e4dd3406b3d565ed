import { MINUTE, SECOND } from '../../lib/time/clock.ts';

/** Tokens are renewed minutes before their end, by this machine's clock: half a minute is what nobody notices yet. */
const TOLERANCE = 30 * SECOND;
/** One answer may be an old one that somebody kept. */
const SAMPLES = 3;
const BETWEEN_SAMPLES = 10 * SECOND;
/** An answer that took longer says too little about now. */
const LONGEST_QUESTION = 5 * SECOND;
/** What was seen longer ago says nothing: the clock may have been set. */
const OLDEST_SAMPLE = 10 * MINUTE;

interface Sample {
  readonly at: number;
  /** How far this machine is ahead, in milliseconds. */
  readonly ahead: number;
}

/** How far the clock of this machine is off, judged by the clocks of others that answer anyway. */
export class ClockCheck {
  readonly #now: () => number;
  readonly #steady: () => number;
  #service: readonly Sample[] = [];
  #database: Sample | undefined;
  /** From then on, by the steady clock, a `Date` is worth telling: one in ten seconds. Changed here alone. */
  dueAt = -Infinity;

  /** `now`: the clock in question. `steady`: milliseconds that pass, whatever that clock is set to. */
  constructor(now: () => number, steady: () => number = () => performance.now()) {
    this.#now = now;
    this.#steady = steady;
  }

  /** The `Date` of an answer that has just come. */
  heard(date: string | undefined): void {
    const at = this.#steady();
    if (date === undefined || at < this.dueAt) return;
    this.dueAt = at + BETWEEN_SAMPLES;
    const told = Date.parse(date);
    // Whole seconds, cut.
    if (Number.isFinite(told))
      this.#service = [...this.#service, { at, ahead: this.#now() - told - SECOND / 2 }].slice(-SAMPLES);
  }

  /** Asks a database on another machine. Never rejects: that it does not answer is somebody else's concern. */
  async ask(database: () => Promise<number | undefined>): Promise<void> {
    const begun = this.#steady();
    const told = await database().catch(() => undefined);
    const at = this.#steady();
    if (told === undefined || at - begun > LONGEST_QUESTION) return;
    this.#database = { at, ahead: this.#now() - (at - begun) / 2 - told };
  }

  /** In words for the operator; undefined: it agrees with everybody who was heard. */
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
    return `the clock of this machine is ${seconds} s ${found.ahead > 0 ? 'ahead of' : 'behind'} ${found.whose}: tokens may be taken for good when they have ended`;
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
