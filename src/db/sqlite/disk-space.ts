import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { RESERVE_BYTES } from './disk-reserve.ts';
import type { Engine } from '../engine.ts';
import { isFull } from '../fault.ts';

/**
 * Work that must not fail for want of room: where the disk of a database file is full it is tried again with the room
 * that the log of writes takes, and then with the reserve.
 */
export async function withDiskSpace<Result>(engine: Engine, work: () => Promise<Result>): Promise<Result> {
  try {
    return await withLogSpace(engine, work);
  } catch (error) {
    const { reserve } = engine;
    if (!isFull(error) || reserve?.release() !== true) throw error;
    // At once: to shorten the log takes some room, too. Not where it would take all of it for nothing.
    if ((await missingIn(reserve.database, engine)) < RESERVE_BYTES) await shortenLog(engine);
    return withLogSpace(engine, work);
  }
}

/** The same without the reserve. */
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
  const { rows } = await sql<{
    readonly bytes: number;
  }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db);
  return (rows[0]?.bytes ?? 0) - statSync(path).size;
}

/** The log is moved into the database file, most of it over pages that are there already, and cut to nothing. */
async function shortenLog({ db }: Engine): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => undefined);
}
