import type pg from 'pg';
import { StoreFault } from '../fault.ts';
import { openSession, type Session } from './session.ts';

/** What `pg` hands to a query of any class. */
interface Asking {
  callback: (error: Error | null, text?: string) => void;
}

/**
 * A statement that returns one text, as `pg` runs it. Its own class of query makes a table of columns and parsers for
 * each answer, and costs several times as much.
 */
class TextQuery implements pg.Submittable, Asking {
  /** The statement. */
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
    // One column of text.
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#answer = fields[0] ?? undefined;
  }

  handleCommandComplete(): void {
    // The server is ready for the next one in a moment.
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#answer);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}

/** How long a connection may be silent, in milliseconds. */
export interface Silence {
  /** Without an answer: by then the server is known to be away, or it lives and only this connection is dead. */
  readonly answer: number;
  /** Unused: what lies between may have forgotten it without a word. */
  readonly idle: number;
}

interface Kept {
  readonly client: pg.PoolClient;
  readonly session: Session;
}

/** One question that is asked again and again, without parameters, over a connection that is kept for it. */
export class KeptQuestion {
  readonly #pool: pg.Pool;
  readonly #sql: string;
  readonly #silence: Silence;
  #kept: Kept | undefined;
  /** By `performance.now`. */
  #usedAt = 0;
  #isEnded = false;

  constructor(pool: pg.Pool, sql: string, silence: Silence) {
    this.#pool = pool;
    this.#sql = sql;
    this.#silence = silence;
  }

  /** The text that is answered; undefined: null, or no row. Rejects if the server cannot be asked; the next one connects anew. */
  async ask(): Promise<string | undefined> {
    const { answer, idle } = this.#silence;
    if (performance.now() - this.#usedAt > idle) this.#close();
    // What waits for an answer fails with it.
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

  /** Gives the connection up for good, also one that is only being made. */
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
