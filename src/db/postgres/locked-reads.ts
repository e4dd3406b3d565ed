import type pg from 'pg';
import { StoreFault } from '../../lib/store-fault.ts';
import type { TableLocks } from './table-locks.ts';

/** In milliseconds: later than the pool calls the statement stuck. */
const AFTER_JAM = 50;

/**
 * Ends reads that wait for a table which somebody has locked: whoever can do without them goes on. A server that is only
 * slow is waited for. The server ends the statement itself, so that its connection is free again: callers who try again
 * would otherwise take one after the other.
 */
export class LockedReads {
  readonly #locks: TableLocks;
  readonly #patience: number;

  /** `patience`: how long a read may wait, in milliseconds. */
  constructor(locks: TableLocks, patience: number) {
    this.#locks = locks;
    this.#patience = patience + AFTER_JAM;
  }

  /** The result of a statement on this connection. Rejects with `StoreFault`, with the hindrance `locked` if it was ended. */
  async during<T>(client: pg.PoolClient, statement: () => Promise<T>): Promise<T> {
    let ending: Promise<string | undefined> | undefined;
    const watch = setInterval(() => {
      // pg's types lack this property of its clients.
      ending = this.#locks.end(Number(Reflect.get(client, 'processID')));
    }, this.#patience).unref();
    try {
      return await statement();
    } catch (error) {
      const locked = await ending;
      throw locked === undefined ? error : new StoreFault('unavailable', locked, undefined, 'locked');
    } finally {
      clearInterval(watch);
    }
  }
}
