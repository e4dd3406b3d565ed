import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isSqliteBusy, words } from '../fault.ts';
import { StoreFault } from '../../lib/store-fault.ts';
import { IN_MEMORY, isSqlite, sqlitePath } from '../../lib/text/sqlite-address.ts';

/** Time for a previous bridge to end when the bridge is restarted. */
const PATIENCE_MS = 2_000;

/** The garbage collector closes a connection without references, and releases its lock. */
const held = new Set<DatabaseSync>();

/** The exclusive lock of a running bridge on its SQLite file. `release` may be called twice. */
export interface BridgeLock {
  release(): void;
}

/**
 * Allows one bridge per database file: two would each assume that they alone use the rate limit and run the
 * periodic jobs. The lock is an open transaction on a file beside the database, so the operating system
 * releases it however the process ends. The database itself is not locked, so backup, restore and the command
 * line work as usual. Undefined if nothing needs locking: in memory, and on a server, which several bridges
 * may share. Throws `StoreFault`.
 */
export function lockForBridge(url: string): BridgeLock | undefined {
  if (!isSqlite(url) || url === IN_MEMORY) return undefined;
  const file = lockFileOf(sqlitePath(url));
  const lock = opened(file, url);
  held.add(lock);
  return {
    release: () => {
      if (held.delete(lock)) lock.close();
    },
  };
}

/**
 * Whether a bridge holds the lock of a SQLite file. Only checks, without waiting, so that no bridge is
 * prevented from starting. Throws `StoreFault`.
 */
export function isBridgeAt(url: string): boolean {
  const file = lockFileOf(sqlitePath(url));
  if (!existsSync(file)) return false;
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { readOnly: true });
    lock.exec('PRAGMA busy_timeout = 0; SELECT count(*) FROM sqlite_master');
    return false;
  } catch (error) {
    if (isSqliteBusy(error)) return true;
    throw refusal(url, file, error);
  } finally {
    lock?.close();
  }
}

function opened(file: string, url: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(file);
    // In memory: a journal on a full disk would keep the bridge from starting.
    lock.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
    return lock;
  } catch (error) {
    lock?.close();
    throw refusal(url, file, error);
  }
}

/** Follows links, because the database's real location counts. */
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
        `another bridge works on ${url} already (it holds ${file}): stop it first; for several bridges use PostgreSQL (docs/deploy/instances.md)`,
      )
    : new StoreFault(
        'unavailable',
        `${file}, which keeps a second bridge out, cannot be used: ${words(error)}`,
      );
}
