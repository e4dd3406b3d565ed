import { openSqlite } from '../../db/sqlite/sqlite.ts';
import type { Tables } from '../../db/tables.ts';
import { sqlitePath } from '../../lib/text/sqlite-address.ts';

/**
 * Due times of claimed jobs. The database decides by its own clock, which does not move, so the times move
 * instead.
 */
export class JobTimes {
  readonly #db: ReturnType<typeof openSqlite<Tables>>;

  /** `database`: `sqlite:PATH`. */
  constructor(database: string) {
    this.#db = openSqlite<Tables>(sqlitePath(database));
  }

  /**
   * Brings jobs forward as if that many milliseconds had passed. Leases stay as they are, because they
   * concern processes, which run on the machine's time. Waits without blocking while the bridge is writing.
   */
  async bringForward(millis: number): Promise<void> {
    await this.#db
      .updateTable('jobs')
      .set((eb) => ({ due_at: eb('due_at', '-', millis) }))
      .execute();
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }
}
