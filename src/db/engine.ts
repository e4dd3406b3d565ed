import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Reachability } from './postgres/reachability.ts';
import type { DiskReserve } from './sqlite/disk-reserve.ts';
import type { Tables } from './tables.ts';

/** What the two databases do differently; repositories are written against this and kysely. */
export interface Engine {
  readonly db: Kysely<Tables>;
  /** For reading alone: what goes through it never waits behind a write. */
  readonly reads: Kysely<Tables>;
  /** Whether the database answers. */
  readonly reach: Reachability;
  /** Again where the connection died and the database is there. */
  readonly read: <Result>(query: (reads: Kysely<Tables>) => Promise<Result>) => Promise<Result>;
  /** Room on the disk of a database file for what must be stored although it is full. */
  readonly reserve: DiskReserve | undefined;
  /** Rejects with `StoreFault` where a table could not grow; where a reserve keeps the room nothing is tried. */
  proveRoom(): Promise<void>;
  /** The database's own clock, milliseconds since the epoch; not the start of the transaction. */
  readonly now: RawBuilder<number>;
  /**
   * A word that is another one after anybody, in whatever process, has written anything that concerns accounts (`OwnChanges`;
   * of other processes anything at all); undefined where finding out costs as much as a query.
   */
  readonly changes: () => string | undefined;
  /** The entries of a list of texts as rows of `place`, counted from 0, and `text`: one parameter, however many. */
  readonly texts: (list: readonly string[]) => RawBuilder<unknown>;
  /** All values of a column in a JSON list, as text: a row for each costs several times as much to hand over. */
  readonly gathered: (column: RawBuilder<unknown>) => RawBuilder<string>;
  /** Rows are locked one by one; SQLite's immediate transactions have locked the file already. */
  readonly rowLocks: boolean;
  /** Called first in the migration transaction: only one process migrates. */
  lockMigrations(trx: Transaction<Tables>): Promise<void>;
  /**
   * A word for where the database lies, another one for any copy of it (`whereabouts`); null: it cannot be told. Not
   * every server tells everybody `all`.
   */
  place(told: 'all' | 'public'): RawBuilder<string | null>;
  /** Whether the statement is carried out by the server process that began then (`ServerPlace.started`). */
  isAt(started: string): RawBuilder<boolean>;
}
