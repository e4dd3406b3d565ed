import { sql, type Kysely } from 'kysely';

/**
 * One table for the records of every kind: a new family of methods adds fields for its kinds (`kinds/`), not
 * a table. Values that lists filter and sort by have a column; the rest is JSON in `fields`.
 */
export interface RecordsTable {
  organisation_id: string;
  kind: string;
  uuid: string;
  /** The numeric identifier of V1; unique per organisation and kind, never reused. */
  number: number;
  /** The number as text, for kinds that are addressed by it (`J000123`). */
  code: string | null;
  name: string;
  /** UUID of the record's owner: the client of a contact, the job of a task. */
  owner: string | null;
  /** UUID of the second record of a join: the related client, the group, the staff member. */
  other: string | null;
  archived: 0 | 1;
  deleted: 0 | 1;
  /** Milliseconds since the epoch. */
  created_at: number;
  modified_at: number;
  /** The search text, in lower case; '' for kinds without a search. */
  search: string;
  /** JSON of `RecordFields[kind]`. */
  fields: string;
  /** JSON: UUID of the definition to the stored value; only fields that hold a value. */
  custom_values: string;
}

interface RecordNumbersTable {
  organisation_id: string;
  kind: string;
  /** The number of the next record. */
  next: number;
}

export interface RecordFilesTable {
  organisation_id: string;
  uuid: string;
  /** Unguessable part of the V1 link, which requires no keys. */
  token: string;
  name: string;
  content: Uint8Array;
}

interface IdMapFilesTable {
  token: string;
  organisation_id: string;
  kind: string;
  expires_at: number;
}

export interface RecordTables {
  records: RecordsTable;
  record_numbers: RecordNumbersTable;
  record_files: RecordFilesTable;
  id_map_files: IdMapFilesTable;
}

const statements = [
  `CREATE TABLE IF NOT EXISTS records (
     organisation_id TEXT NOT NULL, kind TEXT NOT NULL, uuid TEXT NOT NULL, number INTEGER NOT NULL, code TEXT,
     name TEXT NOT NULL, owner TEXT, other TEXT, archived INTEGER NOT NULL, deleted INTEGER NOT NULL,
     created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL, search TEXT NOT NULL, fields TEXT NOT NULL,
     custom_values TEXT NOT NULL) STRICT`,
  'CREATE UNIQUE INDEX IF NOT EXISTS records_uuid ON records (organisation_id, kind, uuid)',
  'CREATE UNIQUE INDEX IF NOT EXISTS records_number ON records (organisation_id, kind, number)',
  'CREATE UNIQUE INDEX IF NOT EXISTS records_code ON records (organisation_id, kind, code) WHERE code IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS records_owner ON records (organisation_id, kind, owner, number) WHERE owner IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS records_other ON records (organisation_id, kind, other, number) WHERE other IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS records_modified ON records (organisation_id, kind, modified_at)',
  `CREATE TABLE IF NOT EXISTS record_numbers (
     organisation_id TEXT NOT NULL, kind TEXT NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (organisation_id, kind)) STRICT`,
  `CREATE TABLE IF NOT EXISTS record_files (
     organisation_id TEXT NOT NULL, uuid TEXT NOT NULL, token TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
     content BLOB NOT NULL, PRIMARY KEY (organisation_id, uuid)) STRICT`,
  `CREATE TABLE IF NOT EXISTS id_map_files (
     token TEXT PRIMARY KEY, organisation_id TEXT NOT NULL, kind TEXT NOT NULL, expires_at INTEGER NOT NULL) STRICT`,
];

/** Creates the tables of the records if they do not exist yet. */
export async function createRecordTables(db: Kysely<RecordTables>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/**
 * Deletes all records of one organisation, or of all organisations; numbers start again too. Completely or
 * not at all.
 */
export async function eraseRecords(db: Kysely<RecordTables>, organisationId?: string): Promise<void> {
  const erase = async (within: Kysely<RecordTables>): Promise<void> => {
    for (const table of ['records', 'record_numbers', 'record_files', 'id_map_files'] as const) {
      const all = within.deleteFrom(table);
      await (
        organisationId === undefined ? all : all.where('organisation_id', '=', organisationId)
      ).execute();
    }
  };
  await (db.isTransaction ? erase(db) : db.transaction().execute(erase));
}
