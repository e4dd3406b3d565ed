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
  select waits.wanted, waits.wanted::regclass::text as "table", holder.pid, coalesce(nullif(holder.application_name, ''), 'without a name') as program
  from waits
  join pg_stat_activity as holder on holder.pid = waits.pid
  where cardinality(pg_blocking_pids(holder.pid)) = 0
  order by waits.since
  limit 1`;

/** Only if the session still waits for a table: it may have gone on to another statement. A pooler hides its number. */
const END = `
  select pg_cancel_backend(pid) from pg_locks
  where pid = $1 and locktype = 'relation' and not granted
  limit 1`;

/** The session keeps the table as before: alone, or before others who wait for it. */
const KEPT = `
  select from pg_locks as kept
  where pid = $1 and relation = $2 and granted and (mode = 'AccessExclusiveLock' or exists (
    select from pg_locks as waiting where waiting.relation = kept.relation and not waiting.granted
  ))
  limit 1`;

interface Row {
  /** The number of the table. */
  readonly wanted: number;
  readonly table: string;
  readonly pid: number;
  readonly program: string;
}

const LONGEST = 5 * SECOND;
/** How long an answer holds, in milliseconds. */
const HOLDS = SECOND;

/** Says which table somebody else has locked, and ends what waits for it, on a connection of its own: those of the pool may all wait for it. */
export class TableLocks {
  readonly #url: string;
  #looking: Promise<string | undefined> | undefined;
  /** What was found last. */
  #last: Row | undefined;

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

  /** Ends what a session of ours waits for a table with. In words, which; undefined if it does not wait. Never rejects. */
  async end(pid: number): Promise<string | undefined> {
    const words = await this.find();
    if (words === undefined) return undefined;
    const ended = await this.#ask(async (client) => (await client.query(END, [pid])).rowCount);
    return ended === 1 ? words : undefined;
  }

  /** The lock that was found last, if it is still there: nothing may wait for it now. Never rejects. */
  async kept(): Promise<string | undefined> {
    const last = this.#last;
    if (last === undefined) return undefined;
    const kept = await this.#ask(
      async (client) => (await client.query(KEPT, [last.pid, last.wanted])).rowCount,
    );
    if (kept === 1) return wordsOf(last);
    if (kept === 0) this.#last = undefined;
    return undefined;
  }

  #look(): Promise<string | undefined> {
    return this.#ask(async (client) => {
      const { rows } = await client.query<Row>(LONGEST_WAIT);
      const [row] = rows;
      this.#last = row ?? this.#last;
      return row && wordsOf(row);
    });
  }

  async #ask<T>(question: (client: pg.Client) => Promise<T>): Promise<T | undefined> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'causeway-look',
      connectionTimeoutMillis: LONGEST,
      query_timeout: LONGEST,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await question(client);
    } catch {
      return undefined; // what waits for the server says so itself
    } finally {
      void client.end().catch(() => undefined);
    }
  }
}

const wordsOf = ({ pid, program, table }: Row): string =>
  `process ${pid} of PostgreSQL (${program}) has locked the table ${table}`;
