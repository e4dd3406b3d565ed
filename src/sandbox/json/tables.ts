import { sql, type Kysely } from 'kysely';
import type { RecordTables } from '../records/tables.ts';

/**
 * For the order of the lists; they contain everything that a list filters by, so that a far page is counted
 * in the index.
 */
const indexes = (['created_at', 'modified_at'] as const).map(
  (column) =>
    `CREATE INDEX IF NOT EXISTS records_by_${column}
     ON records (organisation_id, kind, deleted, ${column}, uuid, archived, owner)`,
);

/** Creates the indexes of the lists if they do not exist yet. */
export async function createJsonIndexes(db: Kysely<RecordTables>): Promise<void> {
  for (const index of indexes) await sql.raw(index).execute(db);
}
