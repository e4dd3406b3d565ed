import { StoreFault, type Hindrance } from '../lib/store-fault.ts';

/** Whether a query failed because the unique index named after table and column already has the value. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof StoreFault && error.kind === 'unique' && error.constraint === constraint;

/** Whether the disk was full. */
export const isFull = (error: unknown): boolean => error instanceof StoreFault && error.hindrance === 'full';

/**
 * Returns a field of any thrown value. Checks the shape and not the class, because Node's own errors may come
 * from another realm.
 */
function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function text(error: unknown, name: string): string | undefined {
  const value = field(error, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const SQLITE_BUSY = 5;
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;
const SQLITE_CONSTRAINT_UNIQUE = 2067;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
/** Busy, read-only, I/O error, full, cannot open, not a database. */
const SQLITE_UNAVAILABLE = new Set([SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, 14, 26]);
/** A write failed for a reason other than lack of space, such as a limit on file sizes. */
const SQLITE_IOERR_WRITE = 778;

function sqliteHindrance(code: number): Hindrance | undefined {
  if (primary(code) === SQLITE_FULL || code === SQLITE_IOERR_WRITE) return 'full';
  if (primary(code) === SQLITE_READONLY) return 'read-only';
  return primary(code) === SQLITE_BUSY ? 'locked' : undefined;
}

function sqliteCode(error: unknown): number {
  const code = field(error, 'errcode');
  return typeof code === 'number' ? code : 0;
}

/** The primary result code is the low byte of the extended one. */
const primary = (code: number): number => code & 0xff;

/**
 * Another process has written since a read began that is still open on this connection; the lock itself may
 * be free.
 */
const SQLITE_BUSY_SNAPSHOT = 517;

/** Whether a transaction has read a snapshot that is now outdated, so that it has to start again. */
export const isSqliteOutdated = (error: unknown): boolean => sqliteCode(error) === SQLITE_BUSY_SNAPSHOT;

/** Another process holds the write lock. */
export const isSqliteBusy = (error: unknown): boolean => primary(sqliteCode(error)) === SQLITE_BUSY;

/** Or any other I/O error: SQLite does not say why it could not enlarge its shared memory. */
export const isSqliteOutOfSpace = (error: unknown): boolean =>
  [SQLITE_FULL, SQLITE_IOERR].includes(primary(sqliteCode(error)));

/** Not a database, or one with damaged pages. */
export const isSqliteDamaged = (error: unknown): boolean => [11, 26].includes(primary(sqliteCode(error)));

/** `UNIQUE constraint failed: accounts.organisation_id` names the columns, not the index. */
function sqliteConstraint(message: string): string {
  const columns = message.slice(message.lastIndexOf(': ') + 2).split(', ');
  const table = columns[0]?.split('.')[0] ?? '';
  return [table, ...columns.map((column) => column.slice(column.indexOf('.') + 1))].join('_');
}

/** Translates an error of `node:sqlite`, so that no caller depends on the kind of database. */
export function sqliteFault(error: unknown): StoreFault {
  const code = sqliteCode(error);
  const message = text(error, 'message') ?? 'for no reason it gave';
  if (code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY)
    return new StoreFault('unique', message, sqliteConstraint(message));
  const kind = SQLITE_UNAVAILABLE.has(primary(code)) ? 'unavailable' : 'refused';
  return new StoreFault(kind, `the database refused: ${message}`, undefined, sqliteHindrance(code));
}

const UNIQUE_VIOLATION = '23505';
/**
 * SQLSTATE classes: connection, resources, operator intervention, system error; and a standby's refusal to
 * write. Anything else is an error in our query.
 */
const POSTGRES_UNAVAILABLE = /^(08|53|57|58|25006)/;
/** The server answered, with the end of a statement: at a time limit, or at the request of a person. */
const STATEMENT_CANCELLED = '57014';
const POSTGRES_HINDRANCES: Readonly<Record<string, Hindrance>> = {
  '53100': 'full',
  '53200': 'out-of-memory',
  '25006': 'read-only',
  '55P03': 'locked',
};
/** Five characters with at least one digit; this excludes Node's own codes, such as `EPIPE`. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** Node collects the failures for all addresses of a host in one error without a message of its own. */
export function words(error: unknown): string {
  const own = text(error, 'message') ?? text(error, 'code');
  const several = field(error, 'errors');
  return own ?? (Array.isArray(several) ? several.map(words).join('; ') : 'no reason given');
}

/** The class of connection errors, which PgBouncer also uses while it has no server. */
const POOLER_WITHOUT_SERVER = '08';
/** PgBouncer before 1.21 uses that class for this error too, although existing connections continue. */
const POOLER_IS_FULL = 'no more connections allowed';

/** The server itself answered: it is neither shutting down nor starting. */
export function isFromLivingPostgres(error: unknown): boolean {
  const code = text(error, 'code');
  if (code === undefined || !SQLSTATE.test(code)) return false;
  if (code.startsWith(POOLER_WITHOUT_SERVER)) return words(error).includes(POOLER_IS_FULL);
  return !code.startsWith('57P');
}

/**
 * Translates an error of `pg` by its SQLSTATE. Errors without one come from the connection, not from the
 * server.
 */
export function postgresFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  const code = text(error, 'code');
  const state = code !== undefined && SQLSTATE.test(code) ? code : undefined;
  if (state === UNIQUE_VIOLATION) return new StoreFault('unique', words(error), text(error, 'constraint'));
  const hindrance = POSTGRES_HINDRANCES[state ?? ''];
  if (hindrance !== undefined || state === STATEMENT_CANCELLED)
    return new StoreFault('unavailable', `the database refused: ${words(error)}`, undefined, hindrance);
  if (state === undefined || POSTGRES_UNAVAILABLE.test(state))
    return new StoreFault('unavailable', `the database cannot be reached: ${words(error)}`);
  return new StoreFault('refused', `the database refused: ${words(error)} (${state})`);
}
