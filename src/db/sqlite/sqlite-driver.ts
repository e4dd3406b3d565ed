/**
 * Kysely on `node:sqlite`, whose statements run in this thread: one connection, one user at a time.
 *
 * Three things make that bearable for a server. A statement that meets another process's write lock waits
 * between attempts instead of in SQLite's own busy handler, which would block the event loop. After 2 ms of
 * consecutive statements, and after each thousand rows of one, the event loop gets a turn. A transaction
 * begins IMMEDIATE, so it never fails half way because another process has written meanwhile.
 *
 * Every error leaves here as a `StoreFault`. A process that dies loses the open transaction and nothing that
 * was committed (`sqlite.ts` sets WAL and `synchronous = FULL`; docs/decisions/platform/0005-node-sqlite.md).
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
} from 'kysely';
import { isSqliteBusy, sqliteFault } from '../fault.ts';
import { CONCERNS_ACCOUNTS, type OwnChanges } from './own-changes.ts';
import type { Reachability } from '../postgres/reachability.ts';

const LONGEST_PAUSE_MS = 20;
/** How long consecutive statements may run in this thread before other work gets a turn. */
const LONGEST_RUN_MS = 2;
/** Rows of one statement. */
const ROWS_AT_ONCE = 1_000;
/** Long statements contain lists of ids of varying length and are not worth caching. */
const KEPT_STATEMENT_LENGTH = 2_000;
const KEPT_STATEMENTS = 200;

/** How statements wait for a lock that another process holds. */
export interface LockWaiting {
  /** The longest wait, in milliseconds. */
  readonly patience: number;
  readonly reach: Reachability;
}

interface Prepared {
  readonly statement: StatementSync;
  /**
   * The columns that the statement returns; empty: no rows. Read once, because reading them costs as much as
   * a query.
   */
  columns: readonly { readonly name: string }[];
  /** See `OwnChanges`. */
  readonly isCounted: boolean;
}

class SqliteConnection implements DatabaseConnection {
  readonly #raw: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  readonly #waiting: LockWaiting;
  readonly #changes: OwnChanges;
  #turnedAt = performance.now();

  constructor(raw: DatabaseSync, waiting: LockWaiting, changes: OwnChanges) {
    this.#raw = raw;
    this.#waiting = waiting;
    this.#changes = changes;
  }

  /**
   * Waits for another process's write lock without blocking the event loop: SQLite's own busy handler would
   * stop every call of this process, and with two connections in one process would never end. While the lock
   * is known to be held for long, no statement waits, because all statements of a connection run one after
   * the other.
   */
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    // A statement resolves without a turn of the event loop, so a list of thousands of accounts would block
    // all calls.
    if (performance.now() - this.#turnedAt >= LONGEST_RUN_MS) {
      await turn();
      this.#turnedAt = performance.now();
    }
    const deadline = performance.now() + this.#waiting.patience;
    for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await this.#run<Row>(sql, parameters as readonly SQLInputValue[]);
      } catch (error) {
        await this.#checkBusy(error, deadline);
      }
      await delay(pause);
    }
  }

  /** Throws the `StoreFault`, unless a lock caused it that may still be waited for. */
  async #checkBusy(error: unknown, deadline: number): Promise<void> {
    const { reach } = this.#waiting;
    const isBusy = isSqliteBusy(error);
    if (isBusy && reach.outage === undefined && performance.now() <= deadline) return;
    if (isBusy) await reach.doubt();
    throw sqliteFault(error);
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('a cursor would hold the only connection: page by key instead');
  }

  #run<Row>(sql: string, parameters: readonly SQLInputValue[]): QueryResult<Row> | Promise<QueryResult<Row>> {
    const prepared = this.#prepare(sql);
    const { statement, isCounted } = prepared;
    const answersRows = prepared.columns.length > 0;
    if (isCounted) {
      // Counted before the statement, although it may fail: no other work gets a turn until it is done,
      // unless it returns rows.
      this.#changes.count += 1;
      this.#changes.isOpen ||= answersRows || this.#raw.isTransaction;
    }
    if (answersRows) return rowsOf<Row>(prepared, parameters);
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(sql: string): Prepared {
    const kept = this.#prepared.get(sql);
    if (kept !== undefined) return kept;
    const statement = this.#raw.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = {
      statement,
      columns: statement.columns(),
      isCounted: CONCERNS_ACCOUNTS.test(sql),
    };
    if (sql.length > KEPT_STATEMENT_LENGTH) return prepared;
    if (this.#prepared.size >= KEPT_STATEMENTS) this.#prepared.clear();
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/**
 * Other work gets a turn after each thousand rows: ten thousand accounts take 50 ms. No other query has the
 * connection meanwhile.
 */
async function rowsOf<Row>(
  prepared: Prepared,
  parameters: readonly SQLInputValue[],
): Promise<QueryResult<Row>> {
  const { statement } = prepared;
  const rows: Row[] = [];
  const found = statement.iterate(...parameters);
  try {
    for (const row of found) {
      const values = row as unknown as readonly SQLOutputValue[];
      // Another process has added columns to a table that is read with `select *`.
      if (values.length !== prepared.columns.length) prepared.columns = statement.columns();
      // A plain object, like pg's. node:sqlite's own rows have no prototype, and copying one costs more than
      // building it.
      const made: Record<string, SQLOutputValue> = {};
      for (const [place, { name }] of prepared.columns.entries()) made[name] = values[place] ?? null;
      rows.push(made as Row);
      if (rows.length % ROWS_AT_ONCE === 0) await turn();
    }
  } catch (error) {
    // A statement that failed half way would otherwise stay open, with its snapshot and its locks.
    found.return?.();
    throw error;
  }
  return { rows, numAffectedRows: BigInt(rows.length) };
}

/** The only connection; the adapter tells kysely to give it to one user at a time. */
class SqliteDriver implements Driver {
  readonly #raw: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #changes: OwnChanges;
  readonly #close: () => void;

  constructor(raw: DatabaseSync, { waiting, changes, close }: SqliteParts) {
    this.#raw = raw;
    this.#connection = new SqliteConnection(raw, waiting, changes);
    this.#changes = changes;
    this.#close = close;
  }

  async init(): Promise<void> {
    // The owner has already opened the connection.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /**
   * IMMEDIATE: a deferred transaction that reads first cannot become a writer once another process has
   * written (SQLITE_BUSY_SNAPSHOT), however long it waits.
   */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('commit'));
    } finally {
      if (this.#changes.isOpen) this.#changes.count += 1;
      this.#changes.isOpen = false;
    }
  }

  /**
   * A full disk or an I/O error has already rolled the transaction back; a second rollback would hide the
   * reason.
   */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      if (this.#raw.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
    } finally {
      if (this.#changes.isOpen) this.#changes.count += 1;
      this.#changes.isOpen = false;
    }
  }

  async releaseConnection(): Promise<void> {
    // The only connection stays open.
  }

  async destroy(): Promise<void> {
    this.#close();
  }
}

/** The dependencies of a connection. */
export interface SqliteParts {
  readonly waiting: LockWaiting;
  /** Counts the connection's writes. */
  readonly changes: OwnChanges;
  /** Runs when kysely is destroyed. */
  readonly close: () => void;
}

/**
 * Writes limits into statements. To choose a plan SQLite looks at a limit that is bound, and so it prepares the statement
 * again after each binding, which costs more than reading a row.
 */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit ');
    const isNumber = ValueNode.is(limit) && typeof limit.value === 'number';
    this.visitNode(isNumber ? ValueNode.createImmediate(limit.value) : limit);
  }
}

/** Kysely on `node:sqlite` (docs/decisions/platform/0005-node-sqlite.md). */
export function sqliteDialect(raw: DatabaseSync, parts: SqliteParts): Dialect {
  return {
    createDriver: () => new SqliteDriver(raw, parts),
    createQueryCompiler: () => new QueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}
