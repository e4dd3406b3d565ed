import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { words } from '../db/fault.ts';
import { silentLog, type Log } from '../lib/log/log.ts';
import { StoreFault, isAway, isLocked } from '../lib/store-fault.ts';
import { migrate } from '../db/migrate.ts';
import { migrations } from '../db/migrations/index.ts';
import type { Patience } from '../db/postgres/patience.ts';
import { MINUTE, SECOND } from '../lib/time/clock.ts';
import { DeploymentFile, ENDING } from '../tokens/deployment/deployment-file.ts';
import { copyBeforeMigration, openEngine, placeOf } from './migration.ts';
import { IN_MEMORY, isSqlite, sqlitePath } from '../lib/text/sqlite-address.ts';

/** How long a migration is tried again, and how long to wait between two attempts, in milliseconds. */
const RETRIES = {
  sqlite: { longest: 10 * SECOND, pause: 50 },
  postgres: { longest: MINUTE, pause: 3 * SECOND },
};
const FILE_LOCKED = 'another program holds the lock of the database file';
const TABLE_HELD = 'its tables must change, but a backup or a long query holds one of them';
const BEING_MIGRATED = 'another process is changing the schema of the database';
/** Processes that start at once wait for each other, but not this long, in milliseconds. */
const UNUSUAL = SECOND;

/** The file with the deployment's mark; it gets the owner of the database file. */
export function fileOf(url: string, path: string | undefined): DeploymentFile | undefined {
  if (path === undefined) return undefined;
  const database = isSqlite(url) ? sqlitePath(url) : '';
  const owner = statSync(database, { throwIfNoEntry: false });
  return new DeploymentFile(path, owner, path === `${database}${ENDING}`);
}

/** Opens the database at the address, with the present schema. Throws `StoreFault`. */
export async function openDatabase(url: string, patience?: Patience, log = silentLog): Promise<Engine> {
  let engine: Engine | undefined;
  const file = isSqlite(url) && url !== IN_MEMORY ? resolve(sqlitePath(url)) : undefined;
  const isNew = file !== undefined && !existsSync(file);
  try {
    engine = await openEngine(url, patience);
    if (isSqlite(url)) await copyBeforeMigration(engine, sqlitePath(url));
    await migrated(engine, log);
    if (isNew) log.info('database.created', { path: file });
    return engine;
  } catch (error) {
    await engine?.db.destroy().catch(() => undefined);
    throw cannotOpen(error, placeOf(url));
  }
}

/** Retries while something is in the way: for ever if it is another migration, which cannot outlive its process. */
async function migrated(engine: Engine, log: Log): Promise<void> {
  const { longest, pause } = engine.rowLocks ? RETRIES.postgres : RETRIES.sqlite;
  const waits = waitingLog(log);
  let deadline = performance.now() + longest;
  for (;;) {
    const obstacle = await attempted(engine);
    if (obstacle === undefined) return;
    const { reason, fault } = obstacle;
    if (fault === undefined) deadline = performance.now() + longest;
    else if (performance.now() > deadline) throw fault;
    waits(reason);
    if (fault !== undefined) await delay(pause);
  }
}

/** What a migration waits for. `fault`: what to throw if that takes too long. */
interface Obstacle {
  readonly reason: string;
  readonly fault?: StoreFault;
}

/**
 * If several processes start on one file at once, all but one wait longer than a query may. On PostgreSQL somebody may
 * hold a table, for whom the migration does not wait (`Engine.migrating`).
 */
async function attempted(engine: Engine): Promise<Obstacle | undefined> {
  try {
    const applied = await migrate(engine, migrations);
    if (applied === undefined) return { reason: BEING_MIGRATED };
    if (applied > 0 && !engine.rowLocks) await shortenLog(engine);
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreFault) || !(engine.rowLocks ? isLocked(error) : isAway(error))) throw error;
    if (!engine.rowLocks) return { reason: isLocked(error) ? FILE_LOCKED : error.message, fault: error };
    const fault = new StoreFault('unavailable', `${TABLE_HELD}: start again after it has ended`);
    return { reason: TABLE_HELD, fault };
  }
}

/** Logs each reason for waiting once a minute. */
function waitingLog(log: Log): (reason: string) => void {
  const begun = performance.now();
  let last: { readonly reason: string; readonly at: number } | undefined;
  return (reason) => {
    const now = performance.now();
    if (now - begun < UNUSUAL || (last?.reason === reason && now - last.at < MINUTE)) return;
    last = { reason, at: now };
    log.warn('migration.waits', { reason, seconds: Math.round((now - begun) / SECOND) });
  };
}

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
