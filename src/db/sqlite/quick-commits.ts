import { sql } from 'kysely';
import type { Engine } from '../engine.ts';

/**
 * From now on the commits of this process do not wait for the disk: for data that is created again if the
 * machine stops before it is complete. A server keeps its own settings.
 */
export async function quickCommits({ db, rowLocks }: Engine): Promise<void> {
  // All writes to a file use one connection.
  if (!rowLocks) await sql`pragma synchronous = off`.execute(db);
}
