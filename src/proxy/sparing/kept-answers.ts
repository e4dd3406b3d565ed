/**
 * Answers of the service that rarely change, kept in memory for the time the operator sets (`CAUSEWAY_CACHE_SECONDS`).
 * A write that affects them invalidates them at once, on every instance (`sparing-upstream.ts`); changes made elsewhere
 * are seen when the time is over.
 */
import type { Marks, Touches } from '../../features/writes/rows/write-marks.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { SharedAnswer } from '../../upstream/ready-read.ts';

/** In bytes. */
export const LONGEST_KEPT = 1_024 * 1_024;
/** In bytes, for all answers together. */
const MOST = 64 * 1_024 * 1_024;
/** An entry takes about 1.5 KB beside its answer. */
const MOST_ENTRIES = 16_384;

/**
 * The methods whose answers are kept, and the families of the writes that affect them. A write without a row in the
 * mapping (`generic`) affects all of them.
 */
export const keptMethods: Readonly<Record<string, readonly string[]>> = {
  'category.list': ['category'],
  'customfield.definition': ['customfield'],
  'staff.get': ['staff'],
  'staff.list': ['staff'],
  'template.list': ['template'],
};

/** An answer, and the marks of its account from before the request. */
export interface Kept {
  readonly answer: SharedAnswer;
  readonly marks: Marks;
}

interface Entry extends Kept {
  readonly at: number;
}

/** The answers kept by this process. */
export class KeptAnswers {
  readonly #clock: Clock;
  readonly #millis: number;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** `millis`: how long answers are kept. */
  constructor(clock: Clock, millis: number) {
    this.#clock = clock;
    this.#millis = millis;
  }

  get size(): number {
    return this.#entries.size;
  }

  keeps(method: string): boolean {
    return Object.hasOwn(keptMethods, method);
  }

  /** The writes that affect the answers of a method; undefined: its answers are not kept. */
  touching(method: string): Touches | undefined {
    const families = keptMethods[method];
    return families && ((write) => write === 'generic' || families.includes(familyOf(write)));
  }

  find(key: string): Kept | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isFresh(entry)) return entry;
    this.#drop(key);
    return undefined;
  }

  put(key: string, kept: Kept): void {
    this.#drop(key);
    const size = kept.answer.whole.length;
    for (const [oldest, entry] of this.#entries) {
      const fits = this.#bytes + size <= MOST && this.#entries.size < MOST_ENTRIES;
      if (fits && this.#isFresh(entry)) break;
      this.#drop(oldest);
    }
    this.#entries.set(key, { ...kept, at: this.#clock.now() });
    this.#bytes += size;
  }

  #isFresh({ at }: Entry): boolean {
    const age = this.#clock.now() - at;
    return age >= 0 && age < this.#millis;
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.answer.whole.length ?? 0;
    this.#entries.delete(key);
  }
}

const familyOf = (method: string): string => method.slice(0, Math.max(0, method.indexOf('.')));
