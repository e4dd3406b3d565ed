import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { StoreFault } from './fault.ts';
import { placeOfFile, samePlace } from './place.ts';
import { sqliteDialect } from './sqlite-driver.ts';

const MEMORY = ':memory:';

/** A database, and a word that is another one after anybody has written anything; see `Engine.changes`. */
export interface WatchedSqlite<Tables> {
  readonly db: Kysely<Tables>;
  readonly changes: () => string | undefined;
}

/** Made readable by the owner only from its first byte; SQLite gives `-wal` and `-shm` the mode of the file. */
function claimFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/** A file that was there before; only once SQLite has read it, so that a file of somebody else keeps its mode. */
function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

function openRaw(file: string): DatabaseSync {
  if (file !== MEMORY) claimFile(file);
  return new DatabaseSync(file);
}

/**
 * kysely over `node:sqlite`: no native addon. WAL and `synchronous=FULL`, never NORMAL: with NORMAL power loss takes
 * acknowledged commits. Transactions are immediate; waiting for other processes is the driver's (hence no busy
 * time-out once the file is open). The file is made with mode 0600, its folder when missing.
 */
export function openWatchedSqlite<Tables>(path: string): WatchedSqlite<Tables> {
  const file = path === MEMORY ? MEMORY : resolve(path);
  const before = placeOfFile(file);
  const raw = openRaw(file);
  try {
    raw.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    if (before !== undefined && !samePlace(before, placeOfFile(file) ?? before))
      throw new StoreFault('unavailable', 'it was replaced at this moment; try again');
    raw.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0');
    if (file !== MEMORY) closeToOthers(file);
  } catch (error) {
    raw.close();
    throw error;
  }
  return { db: new Kysely<Tables>({ dialect: sqliteDialect(raw) }), changes: changesOf(raw) };
}

/** For who has no use for the changes. */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  return openWatchedSqlite<Tables>(path).db;
}

/**
 * One number counts what other connections have committed, the other what this one has written, committed or not:
 * while neither moves no row has changed. Both are read from memory the processes share, at a tenth of a query.
 */
function changesOf(raw: DatabaseSync): () => string | undefined {
  const others = raw.prepare('PRAGMA data_version');
  const own = raw.prepare('SELECT total_changes() AS own');
  return () => {
    try {
      return `${Number(others.get()?.data_version)} ${Number(own.get()?.own)}`;
    } catch {
      return undefined; // the query that follows says what is wrong
    }
  };
}
