import pg from 'pg';
import { SECOND } from '../../lib/time/clock.ts';

/**
 * The table that one of our statements has waited for longest, and a session that keeps it, which waits for nothing
 * itself: what stands before us in the queue may only wait for it, as a change of the table waits for a report. Rows are
 * not told: a session of ours that stopped amid a transaction keeps them, and the server ends it.
 */
const LONGEST_WAIT = `
  with recursive waits (waiting, wanted, since, pid) as (
    select lock.pid, lock.relation, waiting.query_start, blocking.pid
    from pg_locks as lock
    join pg_stat_activity as waiting on waiting.pid = lock.pid
    cross join lateral unnest(pg_blocking_pids(lock.pid)) as blocking (pid)
    where lock.locktype = 'relation' and not lock.granted
      and waiting.datname = current_database() and waiting.usename = current_user
      and waiting.query_start < clock_timestamp() - interval '2 seconds'
    union
    select waits.waiting, waits.wanted, waits.since, blocking.pid
    from waits
    cross join lateral unnest(pg_blocking_pids(waits.pid)) as blocking (pid)
  )
  select waits.wanted::regclass::text as "table", holder.pid, coalesce(nullif(holder.application_name, ''), 'without a name') as program
  from waits
  join pg_stat_activity as holder on holder.pid = waits.pid
  where cardinality(pg_blocking_pids(holder.pid)) = 0
  order by waits.since
  limit 1`;

interface Row {
  readonly table: string;
  readonly pid: number;
  readonly program: string;
}

const LONGEST = 5 * SECOND;
/** How long an answer holds, in milliseconds. */
const HOLDS = SECOND;

/** Says which table somebody else has locked, on a connection of its own: those of the pool may all wait for it. */
export class TableLocks {
  readonly #url: string;
  #looking: Promise<string | undefined> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** In words; undefined: no statement of this bridge waits for a table, or the server does not say. Never rejects. */
  find(): Promise<string | undefined> {
    this.#looking ??= this.#look().finally(() => {
      setTimeout(() => (this.#looking = undefined), HOLDS).unref();
    });
    return this.#looking;
  }

  async #look(): Promise<string | undefined> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'causeway-look',
      connectionTimeoutMillis: LONGEST,
      query_timeout: LONGEST,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Row>(LONGEST_WAIT);
      const [row] = rows;
      return row && `process ${row.pid} of PostgreSQL (${row.program}) has locked the table ${row.table}`;
    } catch {
      return undefined; // what waits for the server says so itself
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}
