import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** A record as it lies in the service, without the moment of its last change. */
const COLUMNS =
  `kind uuid number code name owner other archived deleted created_at search fields custom_values`.split(' ');
const columnsOf = (table: string): string => COLUMNS.map((column) => `${table}.${column}`).join();
const jsonOf = (table: string): string =>
  `json_object(${COLUMNS.map((column) => `'${column}', ${table}.${column}`).join()})`;

const REMEMBER = `
  DROP TABLE IF EXISTS temp.earlier;
  CREATE TEMP TABLE earlier (id INTEGER PRIMARY KEY, ${COLUMNS.join()});
  INSERT INTO temp.earlier SELECT rowid, ${COLUMNS.join()} FROM main.records`;

/** SQLite compares them faster than they could be read. Null: there was, or is, none. */
const CHANGED = `
  SELECT iif(was.id IS NULL, NULL, ${jsonOf('was')}) AS was, iif(now.rowid IS NULL, NULL, ${jsonOf('now')}) AS now
  FROM main.records AS now FULL JOIN temp.earlier AS was ON was.id = now.rowid
  WHERE (${columnsOf('was')}) IS NOT (${columnsOf('now')})`;

/** What a record says: of its fields those that hold something, in one order. How a name is cut in two is no change of it. */
function saidIn(row: string, derived: string | undefined): string {
  const { fields, ...others } = JSON.parse(row) as Readonly<Record<string, unknown>>;
  const name = String(others.name);
  const said = Object.entries(JSON.parse(String(fields)) as Readonly<Record<string, unknown>>)
    .filter(([field, value]) => field !== derived && value !== '' && value !== false && value !== null)
    .filter(([field, value]) => !(field === 'firstName' && name.startsWith(String(value))))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ ...others, fields: said });
}

const difference = (was: unknown, now: unknown, derived: string | undefined): readonly string[] =>
  typeof was === 'string' && typeof now === 'string' && saidIn(was, derived) === saidIn(now, derived)
    ? []
    : [`${String(was)}\n  is now ${String(now)}`];

/** Tells how the records of a service differ from what they were before; the file belongs to somebody else. */
export class RecordWatch {
  readonly #database: DatabaseSync;
  readonly #changed: StatementSync;
  readonly #version: StatementSync;
  #seen: unknown;

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { readOnly: true });
    this.#database.exec(REMEMBER);
    this.#changed = this.#database.prepare(CHANGED);
    this.#version = this.#database.prepare('PRAGMA main.data_version');
  }

  /** Since this was asked last. `derived`: a field that does not count. */
  changes(derived?: string): readonly string[] {
    const version = this.#version.get()?.data_version;
    // Nobody has written.
    if (version === this.#seen) return [];
    this.#seen = version;
    const rows = this.#changed.all();
    if (rows.length > 0) this.#database.exec(REMEMBER);
    return rows.flatMap(({ was, now }) => difference(was, now, derived));
  }

  close(): void {
    this.#database.close();
  }
}
