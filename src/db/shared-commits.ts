import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Work in a transaction; repeated from the start if the transaction was rolled back. */
export type Work<Result> = (trx: Transaction<Tables>) => Promise<Result>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Limit per commit: more would make other callers wait for milliseconds. */
const MOST = 32;

/**
 * Short transactions that share a commit. A database file has one connection, and each commit waits for the
 * disk in this thread, so all work requested in the same turn of the event loop, or during the previous
 * commit, is committed together. No caller gets a result before it is on the disk. If one piece of work
 * fails, all are rolled back and each is done alone, so that none fails because of another. A server has
 * connections for all of them and combines its own writes to the disk.
 */
export class SharedCommits {
  readonly #db: Kysely<Tables>;
  readonly #isShared: boolean;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(db: Kysely<Tables>, isShared: boolean) {
    this.#db = db;
    this.#isShared = isShared;
  }

  /**
   * Resolves once the work is committed, in the order of the calls. Throws the errors of the work, and
   * `StoreFault`. `alone`: the same work as a single statement, which a server commits by itself.
   */
  run<Result>(work: Work<Result>, alone?: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    if (!this.#isShared) return alone ? alone(this.#db) : this.#db.transaction().execute(work);
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject });
      this.#running ??= this.#runAll();
    });
  }

  /** Resolves when no work is waiting. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise(setImmediate);
      await this.#together(this.#waiting.splice(0, MOST));
    }
    this.#running = undefined;
  }

  async #together(some: readonly Waiting[]): Promise<void> {
    const results: unknown[] = [];
    try {
      await this.#db.transaction().execute(async (trx) => {
        for (const { work } of some) results.push(await work(trx));
      });
    } catch (error) {
      const [first] = some;
      if (some.length === 1) first?.reject(error);
      else for (const one of some) await this.#together([one]);
      return;
    }
    for (const [at, { resolve }] of some.entries()) resolve(results[at]);
  }
}
