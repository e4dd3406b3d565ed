import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { sqliteDialect } from './sqlite-driver.ts';

const MEMORY = ':memory:';

/** Readable by the owner only from its first byte; SQLite gives `-wal` and `-shm` the mode of the file. */
function claimFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

function openRaw(path: string): DatabaseSync {
  if (path === MEMORY) return new DatabaseSync(MEMORY);
  const file = resolve(path);
  claimFile(file);
  return new DatabaseSync(file);
}

/**
 * kysely over `node:sqlite`: no native addon. WAL and `synchronous=FULL`, never NORMAL: with NORMAL power loss takes
 * acknowledged commits. Transactions are immediate; waiting for other processes is the driver's (hence no busy
 * time-out once the file is open). The file is made with mode 0600, its folder when missing.
 */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  const raw = openRaw(path);
  try {
    raw.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    raw.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0');
  } catch (error) {
    raw.close();
    throw error;
  }
  return new Kysely<Tables>({ dialect: sqliteDialect(raw) });
}
