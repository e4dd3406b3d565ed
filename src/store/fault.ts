/**
 * What a database can do to a query. `constraint` of a `unique` fault is `table_column[_column]`, the same for both
 * engines. Messages of the engines are kept, their row values and connection strings are not.
 */
export class StoreFault extends Error {
  readonly kind: 'unique' | 'unavailable' | 'exhausted' | 'refused';
  readonly constraint: string | undefined;

  constructor(kind: StoreFault['kind'], message: string, constraint?: string) {
    super(message);
    this.name = 'StoreFault';
    this.kind = kind;
    this.constraint = constraint;
  }
}

/** Whether a query failed because the unique index named after table and column holds the value already. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof StoreFault && error.kind === 'unique' && error.constraint === constraint;

const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;
const SQLITE_CONSTRAINT_UNIQUE = 2067;
const SQLITE_UNAVAILABLE = new Set([SQLITE_BUSY, 10, 13, 14, 26]);

const sqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;

/** Another process holds the write lock (primary result code 5, whatever the extension). */
export const isSqliteBusy = (error: unknown): boolean => ((sqliteCode(error) ?? 0) & 0xff) === SQLITE_BUSY;

/** `UNIQUE constraint failed: accounts.organisation_id` names the columns, not the index. */
function sqliteConstraint(message: string): string {
  const columns = message.slice(message.lastIndexOf(': ') + 2).split(', ');
  const table = columns[0]?.split('.')[0] ?? '';
  return [table, ...columns.map((column) => column.slice(column.indexOf('.') + 1))].join('_');
}

export function sqliteFault(error: unknown): StoreFault {
  const code = sqliteCode(error);
  const message = error instanceof Error ? error.message : 'unknown';
  if (code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY)
    return new StoreFault('unique', message, sqliteConstraint(message));
  const kind = SQLITE_UNAVAILABLE.has((code ?? 0) & 0xff) ? 'unavailable' : 'refused';
  return new StoreFault(kind, `the database refused: ${message}`);
}

const UNIQUE_VIOLATION = '23505';
/** SQLSTATE classes: connection, resources, operator intervention, system error; anything else was our query. */
const POSTGRES_UNAVAILABLE = /^(08|53|57|58)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

const field = (error: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Node gathers the failures of all addresses of a host in one error without words of its own. */
const words = (error: Error): string =>
  error instanceof AggregateError
    ? error.errors.map((one) => (one instanceof Error ? one.message : '')).join('; ')
    : error.message;

export function postgresFault(error: unknown): StoreFault {
  if (!(error instanceof Error)) return new StoreFault('unavailable', 'the database cannot be reached');
  const code = field(error, 'code');
  const state = code !== undefined && SQLSTATE.test(code) ? code : undefined;
  if (state === UNIQUE_VIOLATION) return new StoreFault('unique', error.message, field(error, 'constraint'));
  if (state === undefined || POSTGRES_UNAVAILABLE.test(state))
    return new StoreFault('unavailable', `the database cannot be reached: ${words(error)}`);
  return new StoreFault('refused', `the database refused: ${error.message} (${state})`);
}
