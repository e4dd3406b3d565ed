import type { Transaction } from 'kysely';

/**
 * The tables of the database. Times are milliseconds since the epoch, flags 0 or 1: the same columns in both
 * engines. This file has the database's own tables; each feature declares its tables in a `tables.ts` beside
 * its SQL.
 */
export interface Tables {
  counters: CounterRow;
  settings: SettingRow;
  jobs: JobRow;
  schema_version: SchemaVersionRow;
}

/** A transaction on them. */
export type Trx = Transaction<Tables>;

/** A number that only grows; `CounterName` lists them. */
export interface CounterRow {
  name: string;
  value: number;
}

/** A value about the database as a whole (`Settings`). */
export interface SettingRow {
  name: string;
  value: string;
}

/** One row per migration that has run; the highest `version` is the schema's. */
export interface SchemaVersionRow {
  version: number;
  applied_at: number;
  /** The version that a program must know to work with the result (`Migration`); null: this one. */
  oldest: number | null;
}

/**
 * A periodic job; its times are in the database's clock. The fence increases whenever another instance takes
 * the job.
 */
export interface JobRow {
  name: string;
  holder: string | null;
  fence: number;
  lease_until: number;
  due_at: number;
}
