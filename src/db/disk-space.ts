import { sql } from 'kysely';
import type { Engine } from './engine.ts';
import { isFull } from './fault.ts';

/**
 * Work that must not fail for want of room: where the disk of a database file is full it is tried again with the room
 * that the log of writes takes, and then with the reserve.
 */
export async function withDiskSpace<Result>(engine: Engine, work: () => Promise<Result>): Promise<Result> {
  try {
    return await withLogSpace(engine, work);
  } catch (error) {
    if (!isFull(error) || engine.reserve?.release() !== true) throw error;
    // At once: to shorten the log takes some room, too.
    await shortenLog(engine);
    return work();
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

/** The log is moved into the database file, most of it over pages that are there already, and cut to nothing. */
async function shortenLog({ db }: Engine): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db).catch(() => undefined);
}
