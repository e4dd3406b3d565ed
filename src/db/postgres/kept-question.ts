import type pg from 'pg';
import { StoreFault } from '../../lib/store-fault.ts';
import { openSession, type Session } from './session.ts';

/** The properties that `pg` sets on a query of any class. */
interface Asking {
  callback: (error: Error | null, text?: string) => void;
}

/**
 * A statement that returns one text, for `pg` to run. pg's own query class builds columns and parsers for
 * each answer, which costs several times as much.
 */
class TextQuery implements pg.Submittable, Asking {
  /** The SQL, which `pg` reads under this name. */
  readonly text: string;
  callback: Asking['callback'];
  #answer: string | undefined;

  constructor(sql: string, callback: Asking['callback']) {
    this.text = sql;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.text);
  }

  handleRowDescription(): void {
    // Ignored: there is one column of text.
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#answer = fields[0] ?? undefined;
  }

  handleCommandComplete(): void {
    // Ignored: `ReadyForQuery` follows at once.
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#answer);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}

/** The longest silence of a connection, in milliseconds. */
export interface Silence {
  /**
   * While waiting for an answer. After that time the server is known to be away, or it works and only this
   * connection is dead.
   */
  readonly answer: number;
  /** Unused. After that time a proxy or firewall in between may have dropped the connection silently. */
  readonly idle: number;
}

interface Connections {
  connect(): Promise<pg.PoolClient>;
}

interface Kept {
  readonly client: pg.PoolClient;
  readonly session: Session;
}

/** A query without parameters that is asked repeatedly, over a connection reserved for it. */
export class KeptQuestion {
  readonly #pool: Connections;
  readonly #sql: string;
  readonly #silence: Silence;
  #kept: Kept | undefined;
  /** In the time of `performance.now`. */
  #usedAt = 0;
  #isEnded = false;

  constructor(pool: Connections, sql: string, silence: Silence) {
    this.#pool = pool;
    this.#sql = sql;
    this.#silence = silence;
  }

  /**
   * Returns the text of the answer; undefined for null or no row. Rejects if the server cannot be asked; the
   * next call then reconnects.
   */
  async ask(): Promise<string | undefined> {
    const { answer, idle } = this.#silence;
    if (performance.now() - this.#usedAt > idle) this.#close();
    // The answer that is waited for fails with the connection.
    const impatient = setTimeout(() => {
      this.#close();
    }, answer).unref();
    try {
      const { client, session } = this.#kept ?? (await this.#connect());
      await session.renew();
      const text = await this.#answered(client);
      this.#usedAt = performance.now();
      return text;
    } catch (error) {
      this.#close();
      throw error;
    } finally {
      clearTimeout(impatient);
    }
  }

  /** Closes the connection for good, even one that is still being opened. */
  end(): void {
    this.#isEnded = true;
    this.#close();
  }

  #answered(client: pg.PoolClient): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      client.query(
        new TextQuery(this.#sql, (error, text) => {
          if (error === null) resolve(text);
          else reject(error);
        }),
      );
    });
  }

  #close(): void {
    const { client } = this.#kept ?? {};
    this.#kept = undefined;
    client?.release(true);
  }

  async #connect(): Promise<Kept> {
    const client = await this.#pool.connect();
    try {
      const session = await openSession(client);
      if (this.#isEnded) throw new StoreFault('unavailable', 'the database is being closed');
      return (this.#kept = { client, session });
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
