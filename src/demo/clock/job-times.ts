import { openSqlite } from '../../db/sqlite/sqlite.ts';
import type { Tables } from '../../db/tables.ts';

/** When claimed jobs are due next: the database's own clock says so, and that one does not move. */
export class JobTimes {
  readonly #db: ReturnType<typeof openSqlite<Tables>>;

  /** `database`: `sqlite:PATH`. */
  constructor(database: string) {
    this.#db = openSqlite<Tables>(database.slice('sqlite:'.length));
  }

  /**
   * As if that many milliseconds had passed. Leases stay as they are: they are about processes, which live in the machine's
   * time. Waits without blocking if the bridge is writing at the moment.
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
