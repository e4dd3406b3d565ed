import { sql, type RawBuilder, type Transaction } from 'kysely';
import { isAway, isLocked } from '../../lib/store-fault.ts';
import type { Engine } from '../engine.ts';
import { SharedCommits } from '../shared-commits.ts';
import { proveRoom } from '../sqlite/prove-room.ts';
import { AskedChanges, unaskedWhileLocked } from './asked-changes.ts';
import type { WatchedPostgres } from './postgres.ts';
import type { Tables } from '../tables.ts';
import { patient } from './patience.ts';

const READ_TRIES = 3;
type Asks = WatchedPostgres<Tables>['asks'];
/** An arbitrary number, reserved for us among the database's advisory locks. */
const MIGRATION_LOCK = 482_150_773;
/** How long to wait for the lock of another process, which a start that has nothing to change holds only briefly. */
const LONGEST_TURN = '2s';
/**
 * How long a migration waits for a table. Whoever reads the table queues behind it meanwhile, and a backup or a long
 * query may hold the table for as long as it runs.
 */
const LONGEST_LOCK = '1s';

/** Loads pg only when it is used. */
export const postgresEngine = async (url: string, patience = patient): Promise<Engine> => {
  const postgres = (await import('./postgres.ts')).openPostgres<Tables>(url, patience);
  const { db, unlimited, reach, lock, asks } = postgres;
  const read = readsOf(postgres);
  return {
    db,
    commits: new SharedCommits(db, false),
    reads: db,
    reach,
    read,
    lock,
    reserve: undefined,
    proveRoom: () => proveRoom(db),
    changes: accountChanges(db, asks, read),
    now: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
    texts: (list) =>
      sql`(select ordinality - 1 as place, value as text from json_array_elements_text(cast(${JSON.stringify(list)} as json)) with ordinality)`,
    gathered: (column) => sql<string>`cast(coalesce(json_agg(${column}), '[]'::json) as text)`,
    rowLocks: true,
    pauses: () => async () => undefined,
    migrating: async (work) => {
      const turn = { hasBegun: false };
      try {
        return await unlimited.transaction().execute(async (trx) => {
          await beginMigration(trx);
          turn.hasBegun = true;
          return work(trx);
        });
      } catch (error) {
        if (turn.hasBegun || !isLocked(error)) throw error;
        return undefined;
      }
    },
    place: (told) => postgresPlace(told, addressOf(url)),
    isAt: (started) => sql<boolean>`${STARTED} = ${started}`,
  };
};

/** Repeats a read if the connection died but the database is available. */
const readsOf =
  ({ reads, reach, isJammed }: WatchedPostgres<Tables>): Engine['read'] =>
  async (query) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await query(reads);
      } catch (error) {
        if (tries >= READ_TRIES || !isAway(error) || isLocked(error)) throw error;
        if (isJammed() || !(await reach.doubt())) throw error;
      }
    }
  };

/** Waits for migrations of other processes, and prepares the transaction for one. */
async function beginMigration(trx: Transaction<Tables>): Promise<void> {
  // A step may build an index on a table of any size.
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${LONGEST_TURN}, true)`.execute(
    trx,
  );
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
  await sql`select set_config('lock_timeout', ${LONGEST_LOCK}, true)`.execute(trx);
}

/** In microseconds since the epoch. */
const STARTED = sql<string>`cast(cast(extract(epoch from pg_postmaster_start_time()) * 1000000 as bigint) as text)`;

/** Asks over the connection that is kept for it, and over any if that one has died. */
function accountChanges(db: Engine['db'], asks: Asks, read: Engine['read']): AskedChanges {
  const accounts = ACCOUNTS_STATE.compile(db);
  const state = asks(accounts.sql);
  const stateAnyhow = (): Promise<string | undefined> =>
    state().catch(async () => (await read((reads) => reads.executeQuery(accounts))).rows[0]?.state);
  return new AskedChanges(unaskedWhileLocked(stateAnyhow));
}

/**
 * The last transaction that changed accounts (`accountMarks`), together with the start of the server: a
 * promoted standby may assign the same number again.
 */
const ACCOUNTS_STATE = sql<{ readonly state: string }>`
  select concat_ws(' ', ${STARTED}, (select changed_by from account_marks where id = 1)) as state`;

/** The fields in the order of `ServerPlace` in place.ts. */
const postgresPlace = (told: 'all' | 'public', address: string): RawBuilder<string> => sql<string>`
  concat_ws(' ', 'server',
    ${told === 'public' ? sql`''` : sql`(select system_identifier from pg_control_system())`},
    ${told === 'public' ? sql`''` : sql`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`},
    (select oid from pg_database where datname = current_database()),
    cast(to_regclass('deployment') as oid),
    ${STARTED},
    cast(${address} as text))`;

/** Omits user, password and parameters, and the space used as a separator. */
function addressOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return encodeURI(`${hostname}:${port === '' ? '5432' : port}${pathname}`);
}
