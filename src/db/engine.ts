import type { Kysely, RawBuilder, Transaction } from 'kysely';
import type { Reachability } from './postgres/reachability.ts';
import type { SharedCommits } from './shared-commits.ts';
import type { DiskReserve } from './sqlite/disk-reserve.ts';
import type { Tables } from './tables.ts';

/** Detects whether cached account data is still valid. */
export interface AccountChanges {
  /**
   * A text that changes after any process has written anything that concerns accounts; undefined if it has to
   * be asked for.
   */
  readonly state: () => string | undefined;
  /**
   * Calls back; during the callback `state` is no older than this call, or undefined if the database cannot
   * be asked. Without this method `state` is always up to date, unless the database does not answer.
   */
  readonly ask?: ((then: () => void) => void) | undefined;
}

/** The differences between the two databases; repositories depend on this and kysely. */
export interface Engine {
  readonly db: Kysely<Tables>;
  /** For short transactions that many calls need at the same time. */
  readonly commits: SharedCommits;
  /** For reads only; these never wait for a write. */
  readonly reads: Kysely<Tables>;
  /** Whether the database answers. */
  readonly reach: Reachability;
  /** Repeats the query if the connection died but the database is available. */
  readonly read: <Result>(query: (reads: Kysely<Tables>) => Promise<Result>) => Promise<Result>;
  /** The table that somebody has locked, in words, if statements wait for it for long. Never rejects. */
  readonly lock: () => Promise<string | undefined>;
  /** Disk space beside a database file, for data that must be stored even if the disk is full. */
  readonly reserve: DiskReserve | undefined;
  /** Rejects with `StoreFault` if a table could not grow; does not test this while a reserve is in place. */
  proveRoom(): Promise<void>;
  /** The database's own clock, in milliseconds since the epoch; not the start of the transaction. */
  readonly now: RawBuilder<number>;
  readonly changes: AccountChanges;
  /**
   * The entries of a list of texts as rows with `place`, counted from 0, and `text`: a single parameter for a
   * list of any length.
   */
  readonly texts: (list: readonly string[]) => RawBuilder<unknown>;
  /** All values of a column as JSON text: one row per value costs several times as much to transfer. */
  readonly gathered: (column: RawBuilder<unknown>) => RawBuilder<string>;
  /** Rows are locked individually; SQLite's immediate transactions already lock the file. */
  readonly rowLocks: boolean;
  /** Makes what bulk work calls between its transactions: other processes that write to the same file get their turn. */
  readonly pauses: () => () => Promise<void>;
  /**
   * Runs work that changes the schema in a transaction that may last as long as it needs. Resolves with undefined,
   * without running it, if another process has been doing so for some seconds. Rejects with the hindrance `locked`
   * rather than make running bridges wait for long.
   */
  migrating<Result>(work: (trx: Transaction<Tables>) => Promise<Result>): Promise<Result | undefined>;
  /**
   * A text for the location of the database that differs for any copy of it (`whereabouts`); null if it
   * cannot be determined. Not every server shows `all` to every role.
   */
  place(told: 'all' | 'public'): RawBuilder<string | null>;
  /** Whether the statement is executed by the server process that started then (`ServerPlace.started`). */
  isAt(started: string): RawBuilder<boolean>;
}
