/**
 * Opens a SQLite file as an engine.
 *
 * The file is readable by its owner only, from its first byte. The driver (`sqlite-driver.ts`) waits for the
 * locks of other processes. `changesOf` detects without a query whether cached account data may have changed.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { neverSet, systemClock } from '../../lib/time/clock.ts';
import { pause, writePauses } from '../../lib/time/pause.ts';
import { isSqliteBusy, isSqliteOutdated, isSqliteOutOfSpace } from '../fault.ts';
import { StoreFault } from '../../lib/store-fault.ts';
import { patient, type Patience } from '../postgres/patience.ts';
import { samePlace } from '../place.ts';
import { Reachability } from '../postgres/reachability.ts';
import type { Engine } from '../engine.ts';
import { SharedCommits } from '../shared-commits.ts';
import type { Tables } from '../tables.ts';
import { DiskReserve } from './disk-reserve.ts';
import { noChanges, type OwnChanges } from './own-changes.ts';
import { sqliteDialect } from './sqlite-driver.ts';

const MEMORY = ':memory:';

/** A database; `changes` is `AccountChanges.state`. */
export interface WatchedSqlite<Schema> {
  readonly db: Kysely<Schema>;
  /** For reads only, which never wait for a write. A database in memory has only one connection. */
  readonly reads: Kysely<Schema>;
  readonly changes: () => string | undefined;
  readonly reach: Reachability;
}

/**
 * Creates the file so that only the owner can read it, from its first byte; SQLite gives `-wal` and `-shm`
 * the same mode.
 */
function claimFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/**
 * For a file that already existed, and only after SQLite has read it, so that a file that is no database
 * keeps its mode.
 */
function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

function openRaw(file: string): DatabaseSync {
  if (file !== MEMORY) claimFile(file);
  return new DatabaseSync(file);
}

/**
 * kysely over `node:sqlite`, without a native addon. WAL and `synchronous=FULL`, never NORMAL: with NORMAL a
 * power cut loses acknowledged commits. Transactions are immediate; waiting for other processes is the
 * driver's task (hence no busy time-out once the file is open). The file is created with mode 0600, with its
 * folder if missing. Closing `db` closes everything. `image`: the initial content of a database in memory, as
 * `DatabaseSync.serialize` returns it.
 */
export function openWatchedSqlite<Schema>(
  path: string,
  patience = patient,
  image?: Uint8Array,
): WatchedSqlite<Schema> {
  const file = path === MEMORY ? MEMORY : resolve(path);
  const raw = openWriter(file);
  if (image !== undefined) raw.deserialize(image);
  const reader = file === MEMORY ? raw : new DatabaseSync(file, { readOnly: true });
  const reach = reachOf(raw);
  const waiting = { patience: patience.answer + patience.probe, reach };
  const close = (): void => {
    reach.close();
    // The last connection to close removes the write-ahead log, which a reader cannot do.
    if (reader !== raw) reader.close();
    raw.close();
  };
  const changes = noChanges();
  const db = new Kysely<Schema>({ dialect: sqliteDialect(raw, { waiting, changes, close }) });
  const parts = { waiting, changes: noChanges(), close: () => undefined };
  const reads = reader === raw ? db : new Kysely<Schema>({ dialect: sqliteDialect(reader, parts) });
  return { db, reads, changes: changesOf(raw, changes), reach };
}

/** `patience`: how long to wait for a lock that another process holds on the file. `image`: see `openWatchedSqlite`. */
export const sqliteEngine = (path: string, patience?: Patience, image?: Uint8Array): Engine => {
  const reserve = path === MEMORY ? undefined : new DiskReserve(path);
  const watched = withReserve(reserve, () => openWatchedSqlite<Tables>(path, patience, image));
  return {
    ...watched,
    commits: new SharedCommits(watched.db, true),
    changes: { state: watched.changes },
    read: (query) => query(watched.reads),
    reserve,
    proveRoom: async () => undefined,
    now: sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
    texts: (list) => sql`(select key as place, value as text from json_each(${JSON.stringify(list)}))`,
    gathered: (column) => sql<string>`json_group_array(${column})`,
    rowLocks: false,
    lock: async () => undefined,
    // A database in memory has one process.
    pauses:
      path === MEMORY
        ? () => async () => undefined
        : () => writePauses({ clock: neverSet(systemClock), pause }),
    migrating: (work) => watched.db.transaction().execute(work),
    place: () => sql<string | null>`cast(${path === MEMORY ? null : (placeOfFile(path) ?? null)} as text)`,
    isAt: () => sql<boolean>`1 = 1`,
  };
};

/** The write-ahead log and its index need space, which a full disk has no more after an orderly stop removed them. */
function withReserve<Result>(reserve: DiskReserve | undefined, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (!isSqliteOutOfSpace(error) || reserve?.release() !== true) throw error;
    return open();
  }
}

/** For callers that need only kysely. */
export function openSqlite<Schema>(path: string): Kysely<Schema> {
  return openWatchedSqlite<Schema>(path).db;
}

/**
 * Identifies a database file by its inode and its creation time, if the file system has one. A copy has
 * different ones, whatever its name; a restart, a new container on the same volume or a change of permissions
 * changes neither. Undefined if the file cannot be examined.
 */
function placeOfFile(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return undefined;
  // Without a creation time, Node returns the time of the last change instead, which every write moves.
  const born = found.birthtimeNs === found.ctimeNs ? 0n : found.birthtimeNs;
  return `file:${found.ino}:${born > 0n ? born : ''}`;
}

function openWriter(file: string): DatabaseSync {
  const before = placeOfFile(file);
  const raw = openRaw(file);
  try {
    raw.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    if (before !== undefined && !samePlace(before, placeOfFile(file) ?? before))
      throw new StoreFault('unavailable', 'it was replaced at this moment; try again');
    // FAST overwrites what is deleted in pages that are written anyway; `overwriting` does so everywhere.
    raw.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0; PRAGMA secure_delete = FAST');
    if (file !== MEMORY) closeToOthers(file);
  } catch (error) {
    raw.close();
    throw error;
  }
  return raw;
}

/** A file can always be reached, but another program may hold the lock that every write needs. */
const reachOf = (raw: DatabaseSync): Reachability =>
  new Reachability({
    probe: async () => (isLocked(raw) ? 'another program holds the lock of the database file' : undefined),
    reads: true,
    clock: systemClock,
  });

function isLocked(raw: DatabaseSync): boolean {
  try {
    // A transaction already has the lock.
    if (!raw.isTransaction) raw.exec('begin immediate; rollback');
    return false;
  } catch (error) {
    return isSqliteBusy(error) && !isSqliteOutdated(error);
  }
}

/**
 * Combines two numbers: one counts changes to accounts (`account_marks`), the other this connection's own
 * writes to their tables. While neither changes, cached account data is valid. The first number is read after
 * another connection has committed anything. SQLite detects such a commit in memory that the processes share,
 * at a tenth of the cost of a query, and is asked once per turn of the event loop: nothing handled within the
 * same turn can depend on a later commit.
 */
function changesOf(raw: DatabaseSync, own: OwnChanges): () => string | undefined {
  const version = raw.prepare('PRAGMA data_version');
  // Cheaper than an object with a column's name.
  version.setReturnArrays(true);
  let isAsked = false;
  let others: number | undefined;
  let marks = '';
  const forget = (): void => {
    isAsked = false;
  };
  return () => {
    try {
      if (!isAsked) {
        const now = Number(version.get()?.[0]);
        // The version is read first, so that a commit between the two reads is noticed in the next turn.
        if (now !== others) marks = marksOf(raw) ?? `${now} commits`;
        others = now;
        isAsked = true;
        setImmediate(forget);
      }
      return `${marks} ${own.count}`;
    } catch {
      others = undefined;
      return undefined; // the following query reports the error
    }
  };
}

/** Undefined if the schema is older than the marks, or not that of a bridge. */
function marksOf(raw: DatabaseSync): string | undefined {
  try {
    return String(raw.prepare('select changes from account_marks where id = 1').get()?.changes);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('no such table')) return undefined;
    throw error;
  }
}
