/**
 * What every connection to PostgreSQL is prepared with, whether the server or a pooler (PgBouncer) answers it.
 *
 * A session of our own is prepared once, when it is opened. A pooler in transaction mode may run each transaction in
 * another session, and other programs' transactions in between, so that nothing set for a session would hold, and
 * would reach other programs. Behind one, each transaction carries the same settings for itself alone, in the message that
 * begins it; a statement outside of a transaction that may write gets a transaction. Whether a pooler answers is seen
 * by the process number of the session: a pooler tells its clients one of its own making. (PgBouncer refuses them as
 * parameters of the start, which is why they are not sent there.)
 */
import type pg from 'pg';
import { StoreFault } from '../fault.ts';

/**
 * In milliseconds. `statement` is less than `LONGEST_QUERY` of the pool, so that no answer comes after it. A frozen
 * process must not hold row locks for ever: `idle`.
 */
const LONGEST = { statement: 30_000, idle: 15_000 };

/** The server is there and nothing may be read or written there. */
export const STANDBY = 'the server is a standby that was not promoted';

/** How long a look at the server behind a pooler holds, in milliseconds. */
const LOOK_HOLDS = 1_000;

/**
 * A server that acknowledges before the commit is on its disk, and on that of a standby it is to wait for, would break
 * the promise of every repository: `off` and `local` are raised, stronger ones left alone. `isLocal`: until the
 * transaction ends.
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

/** What is at the other end of a connection. */
export interface OtherEnd {
  /** It accepts no writes, and its rows may be outdated. */
  readonly isStandby: boolean;
  /** What is set for a session may reach somebody else, and may not reach us. */
  readonly isPooled: boolean;
}

/** Asks the server, and compares with what was said when the connection was opened. */
export async function look(client: pg.ClientBase): Promise<OtherEnd> {
  const { rows } = await client.query<Row>(LOOK);
  const [row] = rows;
  if (row === undefined) throw new Error('the server says nothing about itself');
  // The types of pg do not have what its clients have.
  return { isStandby: row.standby, isPooled: row.pid !== Reflect.get(client, 'processID') };
}

const refuse = (): never => {
  throw new StoreFault('unavailable', `the database cannot be reached: ${STANDBY}`);
};

/** Runs statements over one connection. */
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

/** The server's own: what was set stays, and the server cannot change. */
class OwnSession implements Session {
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    return this.#client.query(sql, [...parameters]);
  }

  async renew(): Promise<void> {
    // nothing can have changed
  }
}

/** As kysely begins and ends a transaction. `rollback to` a savepoint ends none. */
const BEGINS = /^(begin|start transaction\b.*)$/;
const ENDS = /^(commit|rollback)$/;
/** Anything else may write, `with` included. */
const READS = /^\s*select\b/i;

/** Through a pooler: nothing outlives a transaction, and the server behind it may change between two. */
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

  /** One message: begin and settings. If it fails, nothing stays open. */
  async #begin(sql: string): Promise<unknown> {
    try {
      // Several statements without parameters have several results, which the types of pg do not know.
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

  /** The error that led here says more than one of the way back; a connection that is broken has no transaction. */
  async #undo(): Promise<void> {
    this.#isOpen = false;
    await this.#client.query('rollback').catch(() => undefined);
  }
}
