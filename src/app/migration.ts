/**
 * Changes of the schema: those that a start of this program would make, and a copy of a SQLite database before them. On
 * PostgreSQL the operator makes the copy. To return to an earlier release, run the earlier program on the new schema,
 * never on the copy: the refresh tokens in it have been used.
 */
import { existsSync, statSync } from 'node:fs';
import { postgresEngine } from '../db/postgres/postgres-engine.ts';
import { sqliteEngine } from '../db/sqlite/sqlite.ts';
import type { Engine } from '../db/engine.ts';
import { StoreFault } from '../lib/store-fault.ts';
import { missingSteps, type MissingSteps } from '../db/migrate.ts';
import { migrations } from '../db/migrations/index.ts';
import type { Patience } from '../db/postgres/patience.ts';
import { backupSqlite } from '../features/backup/sqlite-backup.ts';
import { HOUR } from '../lib/time/clock.ts';
import { isSqlite, sqlitePath } from '../lib/text/sqlite-address.ts';

export type { MissingSteps };

/** Opens the database at `sqlite:PATH` or `postgres://…` as it is. */
export const openEngine = async (url: string, patience?: Patience): Promise<Engine> =>
  isSqlite(url) ? sqliteEngine(sqlitePath(url), patience) : postgresEngine(url, patience);

/** The changes that a start would make; this changes and creates nothing. */
export async function planMigration(url: string): Promise<MissingSteps> {
  if (isSqlite(url) && !existsSync(sqlitePath(url)))
    return { version: 0, steps: migrations.map(({ name }) => name) };
  const engine = await openEngine(url);
  try {
    return await missingSteps(engine, migrations);
  } finally {
    await engine.db.destroy();
  }
}

/**
 * Copies a database file that is about to be migrated to `<file>.schema-<version>`. A copy from the last hour is kept:
 * two processes may start at once, and the second would copy what the first has migrated. Throws `ArchiveRefusal`.
 */
export async function copyBeforeMigration(engine: Engine, file: string): Promise<void> {
  if (file === ':memory:') return;
  const { version, steps } = await missingSteps(engine, migrations);
  if (version === 0 || steps.length === 0) return;
  const copy = `${file}.schema-${version}`;
  const now = Date.now();
  const made = statSync(copy, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (now - made > HOUR) backupSqlite(file, copy, { force: true, now });
}

/** The address without user, password or parameters: scheme, host and name. */
export function placeOf(url: string): string {
  if (isSqlite(url) && sqlitePath(url) !== '') return url;
  const server = url.startsWith('postgres') ? URL.parse(url) : null;
  if (server === null || !['postgres:', 'postgresql:'].includes(server.protocol))
    throw new StoreFault(
      'refused',
      'the address of the database must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME',
    );
  return `postgres://${server.host}${server.pathname}`;
}
