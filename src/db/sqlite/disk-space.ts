import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { pause } from '../../lib/time/pause.ts';
import { RESERVE_BYTES } from './disk-reserve.ts';
import type { Engine } from '../engine.ts';
import { isFull } from '../fault.ts';

/**
 * Runs work that must not fail for lack of space: if the disk of a database file is full, it is retried with
 * the space of the write-ahead log, and then with the reserve.
 */
export async function withDiskSpace<Result>(engine: Engine, work: () => Promise<Result>): Promise<Result> {
  try {
    return await withLogSpace(engine, work);
  } catch (error) {
    const { reserve } = engine;
    if (!isFull(error) || reserve?.release() !== true) throw error;
    // Uses the reserve at once, because shortening the log also needs space; unless the log would use up all
    // of it in vain.
    if ((await missingIn(reserve.database, engine)) < RESERVE_BYTES) await shortenLog(engine);
    return withLogSpace(engine, work);
  }
}

/** The same as `withDiskSpace`, but without the reserve. */
export async function withLogSpace<Result>(engine: Engine, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isFull(error) || engine.reserve === undefined) throw error;
    await shortenLog(engine);
    return work();
  }
}

/** Bytes by which the database file grows when the log is moved into it. */
async function missingIn(path: string, { db }: Engine): Promise<number> {
  return (await sizeOf(db)) - statSync(path).size;
}

/** Bytes of the database, with what is only in the log yet. */
async function sizeOf(db: Engine['db']): Promise<number> {
  const { rows } = await sql<{
    readonly bytes: number;
  }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/**
 * Moves the log into the database file, mostly over existing pages, and truncates it. Returns whether that was possible:
 * not while another process reads.
 */
async function shortenLog({ db }: Pick<Engine, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`
    .execute(db)
    .catch(() => ({ rows: [] }));
  return rows[0]?.busy === 0;
}

/** In milliseconds. */
const BETWEEN_TRIES = 100;
const TRIES = 50;

/**
 * The largest file that is rebuilt while a bridge may wait to write to it. VACUUM takes 6 ms for each MB on two cores, and a
 * bridge waits for 1.8 s.
 */
const MOST_REBUILT = 128 * 1024 ** 2;

/**
 * Runs work that deletes personal data, so that nothing of it stays in the database file: pages that become free are
 * overwritten, too, which costs as much log as they have, the file is rebuilt, because SQLite leaves copies of rows where it
 * divides a page, and the log, which has the pages as they were, is emptied. If another process reads it for seconds, it is
 * overwritten in time. A server manages its own files. `hasDeleted`: whether work with that result has deleted anything;
 * work that fails may have. `isRebuilt`: false if the file is too large for that, or the disk too full.
 */
export async function overwriting<Result>(
  engine: Engine,
  work: () => Promise<Result>,
  hasDeleted: (result: Result) => boolean,
): Promise<{ readonly result: Result; readonly isRebuilt: boolean }> {
  if (engine.rowLocks) return { result: await work(), isRebuilt: true };
  await sql`pragma secure_delete = on`.execute(engine.db);
  let isInLog = true;
  try {
    const result = await work();
    isInLog = hasDeleted(result);
    return { result, isRebuilt: !isInLog || (await rebuild(engine)) };
  } finally {
    await sql`pragma secure_delete = fast`.execute(engine.db);
    for (let tries = 1; isInLog && !(await shortenLog(engine)) && tries < TRIES; tries += 1)
      await pause(BETWEEN_TRIES);
  }
}

async function rebuild({ db }: Engine): Promise<boolean> {
  if ((await sizeOf(db)) > MOST_REBUILT) return false;
  // Otherwise a copy of the database lies in a folder for temporary files meanwhile, which may be full or missing.
  await sql`pragma temp_store = memory`.execute(db);
  try {
    await sql`vacuum`.execute(db);
    return true;
  } catch {
    return false;
  } finally {
    await sql`pragma temp_store = default`.execute(db);
  }
}
