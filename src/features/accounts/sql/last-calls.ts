import { sql } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import { chunks } from '../../../db/row.ts';

const FLUSH_EVERY_MS = 5_000;

/**
 * When each account called last, held in memory and written every few seconds: a write for every call would cost
 * more than the call. A crash loses those seconds and nothing else.
 */
export class LastCalls {
  readonly #engine: Engine;
  #seen = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  record(accountId: string, at: number): void {
    if (at > (this.#seen.get(accountId) ?? 0)) this.#seen.set(accountId, at);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // What could not be written is kept and tried with the next call's.
      this.flush().catch(() => undefined);
    }, FLUSH_EVERY_MS).unref();
  }

  /** What is stored, or what will be. */
  latest(accountId: string, stored: number | undefined): number | undefined {
    const seen = this.#seen.get(accountId);
    return seen === undefined ? stored : Math.max(seen, stored ?? 0);
  }

  async flush(): Promise<void> {
    const written = [...this.#seen];
    for (const some of chunks(written)) await this.#write(some);
    for (const [id, at] of written) if (this.#seen.get(id) === at) this.#seen.delete(id);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush();
  }

  /** In order of id, so that two processes writing at once cannot wait for each other in a circle. */
  async #write(calls: readonly (readonly [string, number])[]): Promise<void> {
    const { db } = this.#engine;
    const sorted = [...calls].sort(([a], [b]) => (a < b ? -1 : 1));
    await db.transaction().execute(async (trx) => {
      for (const [id, at] of sorted) {
        await trx
          .updateTable('accounts')
          .set({ last_call_at: at })
          .where('id', '=', id)
          .where(sql<boolean>`coalesce(last_call_at, 0) < ${at}`)
          .execute();
      }
    });
  }
}
