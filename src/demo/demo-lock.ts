import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { DemoPlace } from '../app/settings/demo-place.ts';

/**
 * Prevents a second demo in the same folder, which would erase the first one's databases. The operating
 * system holds the lock, so it is released when the process ends, for whatever reason.
 */
export class DemoLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Creates the folder if needed. Returns undefined if another process holds the lock. */
  static take({ folder, lockFile }: Pick<DemoPlace, 'folder' | 'lockFile'>): DemoLock | undefined {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(lockFile);
    try {
      database.exec('begin exclusive');
      return new DemoLock(database);
    } catch {
      database.close();
      return undefined;
    }
  }

  release(): void {
    this.#database.close();
  }
}
