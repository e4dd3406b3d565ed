import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { isAway } from '../lib/store-fault.ts';
import { DiskReserve } from './sqlite/disk-reserve.ts';
import { patient, type Patience } from './postgres/patience.ts';
import { placeOfFile } from './place.ts';
import { proveRoom } from './sqlite/prove-room.ts';
import type { Reachability } from './postgres/reachability.ts';
import { openWatchedSqlite } from './sqlite/sqlite.ts';
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

const READ_TRIES = 3;
/** Any number will do; it is ours in the database's space of advisory locks. */
const MIGRATION_LOCK = 482_150_773;

/** `patience`: how long to wait for a lock that another process holds on the file. `image`: see `openWatchedSqlite`. */
export const sqliteEngine = (path: string, patience?: Patience, image?: Uint8Array): Engine => {
  const watched = openWatchedSqlite<Tables>(path, patience, image);
  return {
    ...watched,
    read: (query) => query(watched.reads),
    reserve: path === ':memory:' ? undefined : new DiskReserve(path),
    proveRoom: async () => undefined,
    now: sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
    texts: (list) => sql`(select key as place, value as text from json_each(${JSON.stringify(list)}))`,
    gathered: (column) => sql<string>`json_group_array(${column})`,
    rowLocks: false,
    lockMigrations: async () => undefined,
    place: () =>
      sql<string | null>`cast(${path === ':memory:' ? null : (placeOfFile(path) ?? null)} as text)`,
    isAt: () => sql<boolean>`1 = 1`,
  };
};

/** pg is loaded by those who use it. */
export const postgresEngine = async (url: string, patience = patient): Promise<Engine> => {
  const { db, reach } = (await import('./postgres/postgres.ts')).openPostgres<Tables>(url, patience);
  return {
    db,
    reads: db,
    reach,
    read: async (query) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await query(db);
        } catch (error) {
          if (tries >= READ_TRIES || !isAway(error) || !(await reach.doubt())) throw error;
        }
      }
    },
    reserve: undefined,
    proveRoom: () => proveRoom(db),
    changes: () => undefined,
    now: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
    texts: (list) =>
      sql`(select ordinality - 1 as place, value as text from json_array_elements_text(cast(${JSON.stringify(list)} as json)) with ordinality)`,
    gathered: (column) => sql<string>`cast(coalesce(json_agg(${column}), '[]'::json) as text)`,
    rowLocks: true,
    lockMigrations: async (trx) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    },
    place: (told) => postgresPlace(told, addressOf(url)),
    isAt: (started) => sql<boolean>`${STARTED} = ${started}`,
  };
};

/** Microseconds since the epoch. */
const STARTED = sql<string>`cast(cast(extract(epoch from pg_postmaster_start_time()) * 1000000 as bigint) as text)`;

/** In the order of `ServerPlace` in place.ts. */
const postgresPlace = (told: 'all' | 'public', address: string): RawBuilder<string> => sql<string>`
  concat_ws(' ', 'server',
    ${told === 'public' ? sql`''` : sql`(select system_identifier from pg_control_system())`},
    ${told === 'public' ? sql`''` : sql`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`},
    (select oid from pg_database where datname = current_database()),
    cast(to_regclass('deployment') as oid),
    ${STARTED},
    cast(${address} as text))`;

/** Without user, password and parameters, and without the space that separates. */
function addressOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return encodeURI(`${hostname}:${port === '' ? '5432' : port}${pathname}`);
}
