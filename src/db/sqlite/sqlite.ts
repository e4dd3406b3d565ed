import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { systemClock } from '../../lib/time/clock.ts';
import { isSqliteBusy, isSqliteOutdated, StoreFault } from '../fault.ts';
import { patient } from '../postgres/patience.ts';
import { placeOfFile, samePlace } from '../place.ts';
import { Reachability } from '../postgres/reachability.ts';
import { noChanges, type OwnChanges } from './own-changes.ts';
import { sqliteDialect } from './sqlite-driver.ts';

const MEMORY = ':memory:';

/** A database; for `changes` see `Engine`. */
export interface WatchedSqlite<Tables> {
  readonly db: Kysely<Tables>;
  /** For reading alone: readers never wait for whoever writes. In memory there is only the one connection. */
  readonly reads: Kysely<Tables>;
  readonly changes: () => string | undefined;
  readonly reach: Reachability;
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
 * time-out once the file is open). The file is made with mode 0600, its folder when missing. Closing `db` closes all.
 * `image`: what a database in memory holds at first, as `DatabaseSync.serialize` gives it.
 */
export function openWatchedSqlite<Tables>(
  path: string,
  patience = patient,
  image?: Uint8Array,
): WatchedSqlite<Tables> {
  const file = path === MEMORY ? MEMORY : resolve(path);
  const raw = openWriter(file);
  if (image !== undefined) raw.deserialize(image);
  const reader = file === MEMORY ? raw : new DatabaseSync(file, { readOnly: true });
  const reach = reachOf(raw);
  const waiting = { patience: patience.answer + patience.probe, reach };
  const close = (): void => {
    reach.close();
    // The last one to close tidies the log of writes up, which a reader cannot.
    if (reader !== raw) reader.close();
    raw.close();
  };
  const changes = noChanges();
  const db = new Kysely<Tables>({ dialect: sqliteDialect(raw, { waiting, changes, close }) });
  const parts = { waiting, changes: noChanges(), close: () => undefined };
  const reads = reader === raw ? db : new Kysely<Tables>({ dialect: sqliteDialect(reader, parts) });
  return { db, reads, changes: changesOf(raw, changes), reach };
}

/** For who has no use for the rest. */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  return openWatchedSqlite<Tables>(path).db;
}

function openWriter(file: string): DatabaseSync {
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
  return raw;
}

/** A file is never away, but another program may hold the lock without which nobody writes. */
const reachOf = (raw: DatabaseSync): Reachability =>
  new Reachability({
    probe: async () => (isLocked(raw) ? 'another program holds the lock of the database file' : undefined),
    reads: true,
    clock: systemClock,
  });

function isLocked(raw: DatabaseSync): boolean {
  try {
    // In a transaction of its own it has the lock.
    if (!raw.isTransaction) raw.exec('begin immediate; rollback');
    return false;
  } catch (error) {
    return isSqliteBusy(error) && !isSqliteOutdated(error);
  }
}

/**
 * One number counts what other connections have committed, the other what this one has written but to tables that are
 * written by every call: while neither moves nothing that is remembered of accounts has changed. The first is read from
 * memory the processes share, at a tenth of a query.
 */
function changesOf(raw: DatabaseSync, own: OwnChanges): () => string | undefined {
  const others = raw.prepare('PRAGMA data_version');
  return () => {
    try {
      return `${Number(others.get()?.data_version)} ${own.count}`;
    } catch {
      return undefined; // the query that follows says what is wrong
    }
  };
}
