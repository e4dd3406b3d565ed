import type pg from 'pg';
import { StoreFault } from '../../lib/store-fault.ts';

/** The pool, and when it counts as jammed. */
export interface JamParts {
  readonly pool: pg.Pool;
  /** Connections of the pool that statements can have. */
  readonly most: number;
  /** In milliseconds: a statement without an answer for this long is stuck. Undefined: none ever is. */
  readonly long: number | undefined;
}

/**
 * Notices that all connections of a pool wait for statements that the server does not finish, mostly because a table is
 * locked. Until one of them ends, nobody else waits for a connection: whoever can do without the database goes on at
 * once, as while it is away. A pool that is only busy is not jammed: its statements end.
 */
export class Jam {
  readonly #parts: JamParts;
  readonly #stuck = new Set<object>();
  readonly #waiting = new Set<(fault: StoreFault) => void>();
  /** Connections on which statements run. */
  #taken = 0;

  constructor(parts: JamParts) {
    this.#parts = parts;
  }

  get isOn(): boolean {
    const { pool, most } = this.#parts;
    // One more may be being opened.
    return (
      this.#stuck.size >= Math.max(most, this.#taken) &&
      pool.idleCount === 0 &&
      pool.totalCount >= pool.options.max
    );
  }

  /** A statement has had no answer for long. */
  get hasStuck(): boolean {
    return this.#stuck.size > 0;
  }

  /** Throws `StoreFault` at a jam. */
  check(): void {
    if (this.isOn) throw jammed();
  }

  /** A connection for statements, until `left`. Rejects with `StoreFault` at a jam. */
  async take(): Promise<pg.PoolClient> {
    const client = await this.connect();
    this.#taken += 1;
    return client;
  }

  left(): void {
    this.#taken -= 1;
  }

  /** Runs a statement on a connection that was taken. */
  async during<T>(statement: () => Promise<T>): Promise<T> {
    const { long } = this.#parts;
    if (long === undefined) return statement();
    const running = {};
    const timer = setTimeout(() => {
      this.#stuck.add(running);
      if (this.isOn) for (const refuse of this.#waiting) refuse(jammed());
    }, long).unref();
    try {
      return await statement();
    } finally {
      clearTimeout(timer);
      this.#stuck.delete(running);
    }
  }

  /** A connection for what waits for no lock. Rejects with `StoreFault` at a jam. */
  async connect(): Promise<pg.PoolClient> {
    this.check();
    const connecting = this.#parts.pool.connect();
    const { promise: refused, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    try {
      return await Promise.race([connecting, refused]);
    } catch (error) {
      // It keeps its place in the pool's queue.
      connecting.then(
        (client) => {
          client.release();
        },
        () => undefined,
      );
      throw error;
    } finally {
      this.#waiting.delete(reject);
    }
  }
}

const jammed = (): StoreFault =>
  new StoreFault('unavailable', 'the database finishes no statement: every connection waits for one');
