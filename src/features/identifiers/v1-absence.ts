/**
 * For how long V1 has not answered anything, as far as is proven: nothing that cannot be undone may rely on less.
 *
 * All processes share the answer, in two settings. `v1-answered` gets a new mark with each answer that ends an absence;
 * `v1-absent` has the mark after which the absence began, and how long it has lasted. So a process that still writes of an
 * earlier absence cannot bring it back. Only time between two failed readings of one process counts, by a clock that is
 * never set, and of a pause of more than half an hour only that much. A start of a bridge begins anew: nobody has seen
 * what V1 answered while it was stopped.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Settings } from '../../db/settings.ts';
import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import { Failure, type FailureCode } from '../../lib/failure.ts';
import type { UpstreamAnswer, V1Reader } from '../../upstream/model.ts';
import { NotKept } from './stored-keeping.ts';

export interface V1AbsenceParts {
  readonly settings: Pick<Settings, 'get' | 'set'>;
  /** Never set. */
  readonly clock: Clock;
  /** How many requests of this process V1 has answered so far, whoever sent them. */
  readonly answers: () => number;
}

const ANSWERED = 'v1-answered';
const ABSENT = 'v1-absent';
/** Of a longer pause between two failed readings nobody knows what V1 did. */
const LONGEST_STEP = 30 * MINUTE;
/** A pass over thousands of accounts fails thousands of times. */
const SHORTEST_STEP = 10 * SECOND;

/** How a reading fails that V1 has not answered. */
const NO_ANSWER: ReadonlySet<FailureCode> = new Set<FailureCode>(['upstreamUnavailable', 'upstreamTimeout']);

const absentSchema = z.object({ after: z.string(), lasted: z.number().nonnegative() });
type Absent = z.infer<typeof absentSchema>;

/** One for each process. */
export class V1Absence {
  readonly #parts: V1AbsenceParts;
  /** What this process saw last. */
  #seen: (Absent & { readonly at: number }) | undefined;
  /** The number of answers that the store knows of; undefined: the process has only begun. */
  #told: number | undefined;

  constructor(parts: V1AbsenceParts) {
    this.#parts = parts;
  }

  /** Tells the others if V1 has answered something. Throws the store's errors; the next call then tells it. */
  async watch(): Promise<void> {
    const answers = this.#parts.answers();
    if (answers === this.#told) return;
    await this.answered();
    this.#told = answers;
  }

  /** V1 has answered, with whatever status. Throws the store's errors. */
  async answered(): Promise<void> {
    const { after, lasted } = await this.#stored();
    if (lasted !== undefined) await this.#parts.settings.set(ANSWERED, randomUUID());
    if (this.#seen?.after === after) this.#seen = undefined;
  }

  /** A reading has failed because V1 has not answered. Throws the store's errors. */
  async failed(): Promise<void> {
    const at = this.#parts.clock.now();
    const seen = this.#seen;
    if (seen !== undefined && at - seen.at < SHORTEST_STEP) return;
    const { after, lasted } = await this.#stored();
    const own = seen?.after === after ? seen.lasted + Math.min(at - seen.at, LONGEST_STEP) : 0;
    const known = Math.max(own, lasted ?? 0);
    if (known !== lasted)
      await this.#parts.settings.set(ABSENT, JSON.stringify({ after, lasted: known } satisfies Absent));
    // An answer that another process got before this was stored ended nothing: the absence begins after it.
    this.#seen = { after, lasted: known, at: lasted === undefined ? this.#parts.clock.now() : at };
  }

  /** V1 for one pass. Any answer shows that it is there; a failure of the bridge's own says nothing about it. */
  noting(v1: V1Reader): V1Reader {
    return {
      get: (target, signal) => this.#noted(v1.get(target, signal)),
      fetch: (address, signal) => this.#noted(v1.fetch(address, signal)),
    };
  }

  async #noted(asking: Promise<UpstreamAnswer>): Promise<UpstreamAnswer> {
    const answer = await asking.catch(async (error: unknown) => {
      if (error instanceof Failure && NO_ANSWER.has(error.code)) await this.failed().catch(notKept);
      throw error;
    });
    await this.answered().catch(notKept);
    return answer;
  }

  /** In milliseconds; undefined: V1 is not known to be absent. Throws the store's errors. */
  async lasted(): Promise<number | undefined> {
    await this.watch();
    return (await this.#stored()).lasted;
  }

  async #stored(): Promise<{ readonly after: string; readonly lasted: number | undefined }> {
    const { settings } = this.#parts;
    const text = await settings.get(ABSENT);
    const after = (await settings.get(ANSWERED)) ?? '';
    const absent = text === undefined ? undefined : absentIn(text);
    return { after, lasted: absent?.after === after ? absent.lasted : undefined };
  }
}

/** The store's errors are not V1's. */
const notKept = (error: unknown): never => {
  throw new NotKept(error);
};

/** Undefined for what another version has stored. */
function absentIn(text: string): Absent | undefined {
  try {
    return absentSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
