/**
 * Prepares every connection to PostgreSQL, whether the server or a pooler (PgBouncer) answers it.
 *
 * A session of our own is prepared once, when it is opened. A pooler in transaction mode may run each
 * transaction in another session, and other programs' transactions in between, so that session settings would
 * be lost, and would affect other programs. Behind a pooler, each transaction therefore sends the same
 * settings for itself alone, in the message that begins it; a statement outside a transaction that may write
 * gets a transaction. A pooler is detected by the session's process number: it reports one of its own to its
 * clients. (The settings are not sent as start-up parameters, because PgBouncer refuses them there.)
 */
import type pg from 'pg';
import { StoreFault } from '../../lib/store-fault.ts';

/**
 * In milliseconds. `statement` is less than the pool's `LONGEST_QUERY`, so that no answer can follow. `idle`:
 * a frozen process must not hold row locks for ever.
 */
const LONGEST = { statement: 30_000, idle: 15_000 };

/** The server is running, but must not be used for reading or writing. */
export const STANDBY = 'the server is a standby that was not promoted';

/** How long a check of the server behind a pooler is valid, in milliseconds. */
const LOOK_HOLDS = 1_000;

/**
 * A server that acknowledges a commit before it is on its disk, and on the disk of any standby to wait for,
 * would break the promise of every repository: `off` and `local` are raised, stronger levels left as they
 * are. `isLocal`: until the transaction ends.
 */
const settingsOf = (isLocal: boolean): string => `
  set_config('statement_timeout', '${LONGEST.statement}', ${isLocal}),
  set_config('idle_in_transaction_session_timeout', '${LONGEST.idle}', ${isLocal}),
  set_config('synchronous_commit', case when current_setting('synchronous_commit') in ('off', 'local')
    then 'on' else current_setting('synchronous_commit') end, ${isLocal})`;

const LOOK = 'select pg_is_in_recovery() as standby, pg_backend_pid() as pid';
const FOR_SESSION = `select ${settingsOf(false)}`;
const FOR_TRANSACTION = `select pg_is_in_recovery() as standby, ${settingsOf(true)}`;

interface Row {
  readonly standby: boolean;
  readonly pid: number;
}

/** The other end of a connection. */
export interface OtherEnd {
  /** The server accepts no writes, and its rows may be outdated. */
  readonly isStandby: boolean;
  /** Session settings may affect other programs, and may not apply to us. */
  readonly isPooled: boolean;
}

/**
 * Queries the server, and compares the process number with the one reported when the connection was opened.
 */
export async function look(client: pg.ClientBase): Promise<OtherEnd> {
  const { rows } = await client.query<Row>(LOOK);
  const [row] = rows;
  if (row === undefined) throw new Error('the server says nothing about itself');
  // pg's types lack this property of its clients.
  return { isStandby: row.standby, isPooled: row.pid !== Reflect.get(client, 'processID') };
}

const refuse = (): never => {
  throw new StoreFault('unavailable', `the database cannot be reached: ${STANDBY}`);
};

/** Runs statements on one connection. */
export interface Session {
  query(sql: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Rejects with `StoreFault` if the server behind the connection may have changed and must not be used. */
  renew(): Promise<void>;
}

/** Prepares a new connection. Rejects if it must not be used. */
export async function openSession(client: pg.ClientBase): Promise<Session> {
  const { isStandby, isPooled } = await look(client);
  if (isStandby) refuse();
  if (isPooled) return new PooledSession(client);
  await client.query(FOR_SESSION);
  return new OwnSession(client);
}

/** A session of the server's own: settings last, and the server cannot change. */
class OwnSession implements Session {
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#client.query(sql, [...parameters]);
  }

  async renew(): Promise<void> {
    // Nothing can have changed.
  }
}

/** Statements by which kysely begins and ends a transaction. `rollback to` a savepoint ends none. */
const BEGINS = /^(begin|start transaction\b.*)$/;
const ENDS = /^(commit|rollback)$/;
/** Any other statement may write, even one that begins with `with`. */
const READS = /^\s*select\b/i;

/**
 * A session through a pooler: nothing outlives a transaction, and the server may change between two
 * transactions.
 */
class PooledSession implements Session {
  readonly #client: pg.ClientBase;
  #isOpen = false;
  #lookedAt = performance.now();

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    if (BEGINS.test(sql)) return this.#begin(sql);
    if (ENDS.test(sql)) this.#isOpen = false;
    else if (!this.#isOpen && !READS.test(sql)) return this.#alone(sql, parameters);
    return this.#client.query(sql, [...parameters]);
  }

  async renew(): Promise<void> {
    if (performance.now() - this.#lookedAt < LOOK_HOLDS) return;
    if ((await look(this.#client)).isStandby) refuse();
    this.#lookedAt = performance.now();
  }

  /** Sends begin and settings in one message, so that a failure leaves no transaction open. */
  async #begin(sql: string): Promise<unknown> {
    try {
      // Several statements without parameters give several results, which pg's types do not cover.
      const results: unknown = await this.#client.query(`${sql}; ${FOR_TRANSACTION}`);
      const [begun, set] = results as readonly [unknown, pg.QueryResult<Pick<Row, 'standby'>>];
      if (set.rows[0]?.standby === true) refuse();
      this.#isOpen = true;
      return begun;
    } catch (error) {
      await this.#undo();
      throw error;
    }
  }

  async #alone(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    await this.#begin('begin');
    try {
      const result = await this.#client.query(sql, [...parameters]);
      await this.#client.query('commit');
      this.#isOpen = false;
      return result;
    } catch (error) {
      await this.#undo();
      throw error;
    }
  }

  /**
   * Ignores errors: the original error says more than one of the rollback, and a broken connection has no
   * transaction.
   */
  async #undo(): Promise<void> {
    this.#isOpen = false;
    await this.#client.query('rollback').catch(() => undefined);
  }
}
