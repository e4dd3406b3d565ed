import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { words } from '../db/fault.ts';
import { silentLog, type Log } from '../lib/log/log.ts';
import { StoreFault, isAway } from '../lib/store-fault.ts';
import { migrate } from '../db/migrate.ts';
import { migrations } from '../db/migrations/index.ts';
import type { Patience } from '../db/postgres/patience.ts';
import { MINUTE, SECOND } from '../lib/time/clock.ts';
import { DeploymentFile } from '../tokens/deployment/deployment-file.ts';
import { copyBeforeMigration, openEngine, placeOf } from './migration.ts';
import { isSqlite, sqlitePath } from '../lib/text/sqlite-address.ts';

/** How long a migration is tried again, and how long to wait between two attempts, in milliseconds. */
const RETRIES = {
  sqlite: { longest: 10 * SECOND, pause: 50 },
  postgres: { longest: MINUTE, pause: 3 * SECOND },
};
const HOLDER = 'its tables must change, but a backup or a long query holds one of them';
const HELD = `${HOLDER}: start again after it has ended`;

/** The file with the deployment's mark; it gets the owner of the database file. */
export function fileOf(url: string, path: string | undefined): DeploymentFile | undefined {
  if (path === undefined) return undefined;
  const database = isSqlite(url) ? sqlitePath(url) : '';
  return new DeploymentFile(path, statSync(database, { throwIfNoEntry: false }));
}

/** Opens the database at the address, with the present schema. Throws `StoreFault`. */
export async function openDatabase(url: string, patience?: Patience, log = silentLog): Promise<Engine> {
  let engine: Engine | undefined;
  try {
    engine = await openEngine(url, patience);
    if (isSqlite(url)) await copyBeforeMigration(engine, sqlitePath(url));
    await migrated(engine, log);
    return engine;
  } catch (error) {
    await engine?.db.destroy().catch(() => undefined);
    throw cannotOpen(error, placeOf(url));
  }
}

/**
 * If several processes start on one file at once, all but one wait longer than a query may, so the migration is
 * retried. So it is on PostgreSQL if somebody holds a table, for whom it does not wait (`lockMigrations`).
 */
async function migrated(engine: Engine, log: Log): Promise<void> {
  const { longest, pause } = engine.rowLocks ? RETRIES.postgres : RETRIES.sqlite;
  const deadline = performance.now() + longest;
  for (;;) {
    try {
      const applied = await migrate(engine, migrations);
      if (applied > 0 && !engine.rowLocks) await shortenLog(engine);
      return;
    } catch (error) {
      if (engine.rowLocks ? !isLocked(error) : !isAway(error)) throw error;
      if (performance.now() > deadline) throw engine.rowLocks ? new StoreFault('unavailable', HELD) : error;
    }
    await paused(engine, pause, log);
  }
}

async function paused({ rowLocks }: Engine, pause: number, log: Log): Promise<void> {
  if (rowLocks) log.warn('migration.waits', { reason: HOLDER, seconds: pause / SECOND });
  await delay(pause);
}

const isLocked = (error: unknown): boolean => error instanceof StoreFault && error.hindrance === 'locked';

/**
 * Shortens the log: a new schema is as large as the reserve for a full disk, and if it stayed in the log, the log could
 * not be shortened when the disk is full (`withDiskSpace`).
 */
async function shortenLog({ db }: Engine): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => undefined);
}

function cannotOpen(error: unknown, place: string): StoreFault {
  const kind = error instanceof StoreFault ? error.kind : 'unavailable';
  return new StoreFault(kind, `cannot open the database ${place}: ${words(error)}`);
}
