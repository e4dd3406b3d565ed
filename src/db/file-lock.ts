import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * A lock that one process holds. The operating system keeps it, so it is released when the process ends, for whatever
 * reason; the file stays.
 */
export class FileLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Creates the file if needed. Returns undefined if another process holds the lock. */
  static take(path: string): FileLock | undefined {
    const database = new DatabaseSync(path);
    try {
      database.exec('begin exclusive');
      return new FileLock(database);
    } catch {
      database.close();
      return undefined;
    }
  }

  /** Whether some process holds the lock. Only reads, so that asking keeps nobody from taking it. */
  static isHeld(path: string): boolean {
    if (!existsSync(path)) return false;
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      database.prepare('select count(*) from sqlite_schema').get();
      return false;
    } catch {
      return true;
    } finally {
      database.close();
    }
  }

  release(): void {
    this.#database.close();
  }
}
