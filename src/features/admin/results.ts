import { HOUR, type Clock } from '../../lib/time/clock.ts';
import type { RandomSource } from '../../lib/secret/random.ts';
import { openJson, sealJson } from '../../lib/secret/sealed-json.ts';
import { SealBroken, type Seal } from '../../lib/secret/seal.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';

/** Stores the results of forms. */
export interface ResultRepository {
  keep(row: ResultRow): Promise<void>;
  find(id: string, tokenId: string): Promise<ResultRow | undefined>;
  remove(id: string): Promise<void>;
  /** Deletes results kept before `before`. */
  expire(before: number): Promise<void>;
}

/** The stored result of a form. */
export interface ResultRow {
  readonly id: string;
  /** The console token that sent the form: nobody else sees the result. */
  readonly tokenId: string;
  readonly at: number;
  readonly sealed: string;
}

export interface AdminResultsParts {
  readonly results: ResultRepository;
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  readonly random: Pick<RandomSource, 'id'>;
  readonly clock: Clock;
}

/** The result of a form. */
export interface Kept {
  readonly view: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** It holds a secret and can be seen only once. */
  readonly once: boolean;
}

/** How long a result is kept, in milliseconds. */
export const RESULT_LIFE = HOUR;

/** Throws on a function, which JSON silently leaves out: the page could not be shown later. */
function plain(kept: Kept): Kept {
  structuredClone(kept);
  return kept;
}

/**
 * Keeps the result of a form for an hour, sealed, so that the browser is redirected to an address of its own: reloading
 * it or going back repeats nothing, whichever process answers.
 */
export class AdminResults {
  readonly #parts: AdminResultsParts;

  constructor(parts: AdminResultsParts) {
    this.#parts = parts;
  }

  /** Returns the id. */
  async keep(kept: Kept, tokenId: string): Promise<string> {
    const { results, seal, random, clock } = this.#parts;
    const [id, at] = [random.id(), clock.now()];
    const sealed = sealJson(seal, plain(kept), id, sealedAs.consoleResult);
    await results.keep({ id, tokenId, at, sealed });
    return id;
  }

  /** Undefined if it does not exist, has expired, or belongs to another token. A secret is found only once. */
  async find(id: string, tokenId: string): Promise<Kept | undefined> {
    const { results, seal, clock } = this.#parts;
    const row = await results.find(id, tokenId);
    if (row === undefined || clock.now() - row.at > RESULT_LIFE) return undefined;
    try {
      const kept = openJson(seal, row.sealed, id, sealedAs.consoleResult) as Kept;
      if (kept.once) await results.remove(id);
      return kept;
    } catch (error) {
      if (error instanceof SealBroken) return undefined; // its key was removed
      throw error;
    }
  }
}
