import { sql, type Kysely } from 'kysely';
import type { RecordTables } from '../records/tables.ts';

/**
 * Indexes for ordering lists. They contain every column that a list filters by, so that a distant page is
 * counted in the index alone.
 */
const indexes = (['created_at', 'modified_at'] as const).map(
  (column) =>
    `CREATE INDEX IF NOT EXISTS records_by_${column}
     ON records (organisation_id, kind, deleted, ${column}, uuid, archived, owner)`,
);

/** Creates the lists' indexes if they do not exist yet. */
export async function createJsonIndexes(db: Kysely<RecordTables>): Promise<void> {
  for (const index of indexes) await sql.raw(index).execute(db);
}
