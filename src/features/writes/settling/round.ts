import { SECOND } from '../../../lib/time/clock.ts';
import type { Write, WriteFacts } from '../model.ts';
import type { LegacyRead, LegacyReads, ReadAnswer } from './reads.ts';

/** How and when writes are looked up. */
export interface Circumstances {
  readonly now: number;
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
  /** Consecutive lookups of the account whose reads have failed. */
  readonly failures: number;
}

export interface RoundParts {
  readonly reads: LegacyReads;
  readonly factsOf: (write: Write) => WriteFacts;
}

/** A read that hangs is given up after this and started again: most are answered within a second. */
const PATIENCE = 15 * SECOND;
/**
 * After this many consecutive failures a read may take as long as the service needs: it may be slow rather
 * than hanging.
 */
const PATIENT_AFTER = 4;

/**
 * Writes of one account that are looked up together. Shared reads are made once; all writes are judged as of
 * the moment before the first read.
 */
export class Round {
  readonly writes: readonly Write[];
  readonly circumstances: Circumstances;
  readonly #parts: RoundParts;
  readonly #answers = new Map<string, Promise<ReadAnswer>>();
  readonly #facts = new Map<string, WriteFacts>();
  readonly #known = new Map<unknown, Promise<number>>();
  #hasFailed = false;

  constructor(parts: RoundParts, writes: readonly Write[], circumstances: Circumstances) {
    this.#parts = parts;
    this.writes = writes;
    this.circumstances = circumstances;
  }

  /** Some read has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  async read(request: LegacyRead): Promise<ReadAnswer> {
    const key = JSON.stringify([request.segments, request.query]);
    const answer = await kept(this.#answers, key, () => this.#read(request));
    this.#hasFailed ||= answer.answer === 'failed';
    return answer;
  }

  factsOf = (write: Write): WriteFacts => kept(this.#facts, write.id, () => this.#parts.factsOf(write));

  /** A number that is determined once for all users of the key. */
  once(key: unknown, find: () => Promise<number>): Promise<number> {
    return kept(this.#known, key, find);
  }

  async #read(request: LegacyRead): Promise<ReadAnswer> {
    const { reads } = this.#parts;
    const { failures } = this.circumstances;
    if (failures % (PATIENT_AFTER + 1) === PATIENT_AFTER) return reads.read(request);
    const over = new AbortController();
    const timer = setTimeout(() => {
      over.abort();
    }, PATIENCE);
    try {
      return await reads.read({ ...request, signal: AbortSignal.any([request.signal, over.signal]) });
    } finally {
      clearTimeout(timer);
    }
  }
}

function kept<Key, Value>(map: Map<Key, Value>, key: Key, find: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const found = find();
  map.set(key, found);
  return found;
}
