import { sql } from 'kysely';
import type { Engine } from '../engine.ts';

/**
 * From now on the commits of this process do not wait for the disk: for data that is made again if the machine stops before
 * it is complete. A server keeps its own settings.
 */
export async function quickCommits({ db, rowLocks }: Engine): Promise<void> {
  // A file has one connection for everything that writes.
  if (!rowLocks) await sql`pragma synchronous = off`.execute(db);
}
