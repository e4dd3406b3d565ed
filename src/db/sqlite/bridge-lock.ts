import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteBusy, StoreFault, words } from '../fault.ts';

const SQLITE = 'sqlite:';

/** A bridge that is started anew may meet the one before it on its way out. */
const PATIENCE_MS = 2_000;

/** A connection that nothing refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>();

/** The exclusive lock of a running bridge on its SQLite file. `release` may be called twice. */
export interface BridgeLock {
  release(): void;
}

/**
 * One bridge on one database file: two would each believe that the limit of requests and the periodic jobs are theirs
 * alone. The lock is an open transaction on a file beside the database, so it is the operating system's and gone with
 * the process, however that ends; the database itself is not locked, so that backup, restore and the command line work
 * as ever. Undefined where nothing needs locking: in memory, and on a server, which several bridges may share. Throws
 * `StoreFault`.
 */
export function lockForBridge(url: string): BridgeLock | undefined {
  if (!url.startsWith(SQLITE) || url === `${SQLITE}:memory:`) return undefined;
  const file = lockFileOf(url.slice(SQLITE.length));
  const lock = opened(file, url);
  held.add(lock);
  return {
    release: () => {
      if (held.delete(lock)) lock.close();
    },
  };
}

function opened(file: string, url: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(file);
    lock.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN EXCLUSIVE`);
    return lock;
  } catch (error) {
    lock?.close();
    throw refusal(url, file, error);
  }
}

/** Whatever link leads to the database: its real place counts. */
function lockFileOf(path: string): string {
  const database = resolve(path);
  if (existsSync(database)) return `${realpathSync(database)}.lock`;
  const folder = dirname(database);
  return `${existsSync(folder) ? join(realpathSync(folder), basename(database)) : database}.lock`;
}

function refusal(url: string, file: string, error: unknown): StoreFault {
  return isSqliteBusy(error)
    ? new StoreFault(
        'refused',
        `another bridge works on ${url} already (it holds ${file}): stop it first; for several bridges use PostgreSQL (docs/instances.md)`,
      )
    : new StoreFault(
        'unavailable',
        `${file}, which keeps a second bridge out, cannot be used: ${words(error)}`,
      );
}
