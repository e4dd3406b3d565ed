import type pg from 'pg';
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

/** One question that is asked again and again, without parameters, over a connection that is kept for it. */
export class KeptQuestion {
  readonly #pool: pg.Pool;
  readonly #sql: string;
  #kept: { readonly client: pg.PoolClient; readonly session: Session } | undefined;

  constructor(pool: pg.Pool, sql: string) {
    this.#pool = pool;
    this.#sql = sql;
  }

  /** The text that is answered; undefined: null, or no row. Rejects if the server cannot be asked; the next one connects anew. */
  async ask(): Promise<string | undefined> {
    const { client, session } = (this.#kept ??= await this.#connect());
    try {
      await session.renew();
      return await new Promise((resolve, reject) => {
        client.query(
          new TextQuery(this.#sql, (error, text) => {
            if (error === null) resolve(text);
            else reject(error);
          }),
        );
      });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Gives the connection up. */
  close(): void {
    const { client } = this.#kept ?? {};
    this.#kept = undefined;
    client?.release(true);
  }

  async #connect(): Promise<{ readonly client: pg.PoolClient; readonly session: Session }> {
    const client = await this.#pool.connect();
    try {
      return { client, session: await openSession(client) };
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
