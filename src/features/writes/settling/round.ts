import { SECOND } from '../../../lib/time/clock.ts';
import type { Write, WriteFacts } from '../model.ts';
import type { LegacyRead, LegacyReads, ReadAnswer } from './reads.ts';

/** How and when writes are looked at. */
export interface Circumstances {
  readonly now: number;
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
  /** Looks at the account in a row whose reads have failed. */
  readonly failures: number;
}

export interface RoundParts {
  readonly reads: LegacyReads;
  readonly factsOf: (write: Write) => WriteFacts;
}

/** A read that hangs is given up after it, and begun anew: most are answered within a second. */
const PATIENCE = 15 * SECOND;
/** After so many failures in a row one waits for as long as the service takes: it may be slow, and not hang. */
const PATIENT_AFTER = 4;

/**
 * Writes of one account that are looked at together. What several of them would read is read once; all are judged as of the
 * moment before the first read.
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

  /** A number that is found out once for all that have the key in common. */
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
