import { HOUR, type Clock } from '../../lib/time/clock.ts';
import type { RandomSource } from '../../lib/secret/random.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { SealBroken, type Seal } from '../../lib/secret/seal.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';

/** The rows of what forms have led to. */
export interface ResultRepository {
  /** Also deletes what was kept before `since`. */
  keep(row: ResultRow, since: number): Promise<void>;
  find(id: string, tokenId: string): Promise<ResultRow | undefined>;
  remove(id: string): Promise<void>;
}

/** One of them. */
export interface ResultRow {
  readonly id: string;
  /** Of the console token whose form it was: nobody else sees it. */
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

/** What a form has led to. */
export interface Kept {
  readonly view: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** It holds a secret: it can be seen once. */
  readonly once: boolean;
}

/** In milliseconds. */
const LIFE = HOUR;

/**
 * Keeps what a form has led to for an hour, sealed, so that a browser is sent to an address of its own: loading it
 * again or going back repeats nothing, in whichever process it ends.
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
    const sealed = seal.seal(new Secret(JSON.stringify(kept)), id, sealedAs.consoleResult);
    await results.keep({ id, tokenId, at, sealed }, at - LIFE);
    return id;
  }

  /** Undefined if there is none, any more, or for this token. */
  async find(id: string, tokenId: string): Promise<Kept | undefined> {
    const { results, seal, clock } = this.#parts;
    const row = await results.find(id, tokenId);
    if (row === undefined || clock.now() - row.at > LIFE) return undefined;
    try {
      const kept = JSON.parse(seal.open(row.sealed, id, sealedAs.consoleResult).reveal()) as Kept;
      if (kept.once) await results.remove(id);
      return kept;
    } catch (error) {
      if (error instanceof SealBroken) return undefined; // its key is gone
      throw error;
    }
  }
}
