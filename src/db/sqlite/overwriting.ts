import { sql } from 'kysely';
import { pause } from '../../lib/time/pause.ts';
import type { Engine } from '../engine.ts';
import { shortenLog } from './disk-space.ts';

/** In milliseconds. */
const BETWEEN_TRIES = 100;
const TRIES = 50;

/**
 * Runs work that deletes personal data, so that nothing of it stays in the database file: pages that become free are
 * overwritten, too, which costs as much log as they have, and the log, which has the pages as they were, is emptied. If
 * another process reads it for seconds, it is overwritten in time. A server manages its own files.
 */
export async function overwriting<Result>(engine: Engine, work: () => Promise<Result>): Promise<Result> {
  if (engine.rowLocks) return work();
  await sql`pragma secure_delete = on`.execute(engine.db);
  try {
    return await work();
  } finally {
    await sql`pragma secure_delete = fast`.execute(engine.db);
    for (let tries = 1; !(await shortenLog(engine)) && tries < TRIES; tries += 1) await pause(BETWEEN_TRIES);
  }
}
