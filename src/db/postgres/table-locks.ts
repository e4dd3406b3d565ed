import pg from 'pg';
import { SECOND } from '../../lib/time/clock.ts';

/**
 * The table that one of our statements has waited for longest, and a session that keeps it, which waits for nothing
 * itself. Rows are not told: a session of ours that stopped amid a transaction keeps them, and the server ends it.
 */
const LONGEST_WAIT = `
  select wanted.relation::regclass::text as "table", holder.pid, coalesce(nullif(holder.application_name, ''), 'without a name') as program
  from pg_locks as wanted
  join pg_stat_activity as waiting on waiting.pid = wanted.pid
  cross join lateral unnest(pg_blocking_pids(wanted.pid)) as blocking (pid)
  join pg_stat_activity as holder on holder.pid = blocking.pid
  where wanted.locktype = 'relation' and not wanted.granted
    and waiting.datname = current_database() and waiting.usename = current_user
    and waiting.query_start < clock_timestamp() - interval '2 seconds'
    and cardinality(pg_blocking_pids(holder.pid)) = 0
  order by waiting.query_start
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
