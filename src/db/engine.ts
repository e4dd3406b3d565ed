import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Reachability } from './postgres/reachability.ts';
import type { SharedCommits } from './shared-commits.ts';
import type { DiskReserve } from './sqlite/disk-reserve.ts';
import type { Tables } from './tables.ts';

/** Tells whether what is cached about accounts is still right. */
export interface AccountChanges {
  /**
   * A text that changes after anybody, in any process, has written anything that concerns accounts; undefined: it has to
   * be asked for.
   */
  readonly state: () => string | undefined;
  /**
   * Calls back, in which `state` is as of a moment after this call; undefined there as well if the database cannot be
   * asked. Undefined: `state` knows, unless the database does not answer.
   */
  readonly ask?: ((then: () => void) => void) | undefined;
}

/** What the two databases do differently; repositories are written against this and kysely. */
export interface Engine {
  readonly db: Kysely<Tables>;
  /** For short transactions that many calls need at once. */
  readonly commits: SharedCommits;
  /** For reads only: they never wait behind a write. */
  readonly reads: Kysely<Tables>;
  /** Whether the database answers. */
  readonly reach: Reachability;
  /** Repeats the query if the connection died but the database is there. */
  readonly read: <Result>(query: (reads: Kysely<Tables>) => Promise<Result>) => Promise<Result>;
  /** Space on the disk of a database file for what must be stored even if the disk is full. */
  readonly reserve: DiskReserve | undefined;
  /** Rejects with `StoreFault` if a table could not grow; with a reserve in place, nothing is tried. */
  proveRoom(): Promise<void>;
  /** The database's own clock, in milliseconds since the epoch; not the start of the transaction. */
  readonly now: RawBuilder<number>;
  readonly changes: AccountChanges;
  /**
   * The entries of a list of texts as rows of `place`, counted from 0, and `text`: a single parameter,
   * however many.
   */
  readonly texts: (list: readonly string[]) => RawBuilder<unknown>;
  /** All values of a column as JSON text: one row per value costs several times as much to transfer. */
  readonly gathered: (column: RawBuilder<unknown>) => RawBuilder<string>;
  /** Rows are locked individually; SQLite's immediate transactions already lock the file. */
  readonly rowLocks: boolean;
  /** Called first in the migration transaction: only one process migrates. */
  lockMigrations(trx: Transaction<Tables>): Promise<void>;
  /**
   * A text for the location of the database that is different for any copy of it (`whereabouts`); null: it
   * cannot be determined. Not every server shows `all` to every role.
   */
  place(told: 'all' | 'public'): RawBuilder<string | null>;
  /** Whether the statement is executed by the server process that started then (`ServerPlace.started`). */
  isAt(started: string): RawBuilder<boolean>;
}
