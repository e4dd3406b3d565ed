/**
 * PostgreSQL as the database of one or several instances: the pool of connections, and the layer between it
 * and kysely.
 *
 * Each new connection is checked and prepared before use (`session.ts`): a standby that was not promoted is
 * refused, and a commit is on disk when it returns, because the refresh protocol relies on that. Every error
 * of the pool becomes a `StoreFault`. If a statement gets a bad answer, or none within the patience,
 * `Reachability` sends a probe. If the probe fails, the database counts as away and all waiting callers fail
 * at once instead of timing out.
 */
import pg from 'pg';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { systemClock } from '../../lib/time/clock.ts';
import { postgresFault } from '../fault.ts';
import { StoreFault } from '../../lib/store-fault.ts';
import type { Patience } from './patience.ts';
import { Jam } from './jam.ts';
import { KeptQuestion } from './kept-question.ts';
import { Reachability } from './reachability.ts';
import { LockedReads } from './locked-reads.ts';
import { TableLocks } from './table-locks.ts';
import { GOODBYE, probe, Sockets } from './probe.ts';
import { openSession, type Session } from './session.ts';

/**
 * bigint columns hold milliseconds, counters and 32-bit identifiers, all of which are exact as JavaScript
 * numbers.
 */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

const MOST_POOLED = 10;
/** Those that are kept for a question (`asks`). */
const MOST_KEPT = 1;
/** Most connections of a process of the bridge: its pool, and the probe. */
export const MOST_CONNECTIONS = MOST_POOLED + 1;

/** In milliseconds; longer than the server allows a statement to run, so that no answer can follow. */
const LONGEST_QUERY = 35_000;
/** How long a connection may stay idle, in milliseconds. */
const IDLE = 60_000;

/** A database that detects whether it can be reached. */
export interface WatchedPostgres<Tables> {
  readonly db: Kysely<Tables>;
  /** A connection that waits for each answer as long as it takes; `db` closes it, too. */
  readonly unlimited: Kysely<Tables>;
  /** The same pool, for reads that end at a locked table; see `LockedReads`. */
  readonly reads: Kysely<Tables>;
  readonly reach: Reachability;
  /** Whether every connection waits for a statement that does not end. */
  readonly isJammed: () => boolean;
  /** The table that somebody has locked, in words, if statements wait for it for long. Never rejects. */
  readonly lock: () => Promise<string | undefined>;
  /**
   * Prepares a statement without parameters that every call needs; returns a function that fetches its text.
   * Rejects with `StoreFault`.
   */
  readonly asks: (sql: string) => () => Promise<string | undefined>;
}

/** Prepares a new connection; returns it to the pool unused if that fails. */
async function prepared(client: pg.PoolClient): Promise<Session> {
  try {
    return await openSession(client);
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Prepares a connection that is used again. */
async function renewed(client: pg.PoolClient, session: Session): Promise<void> {
  try {
    await session.renew();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Turns every error from pg into a `StoreFault`, and triggers a probe on a bad answer or a long silence. */
class Wall {
  readonly #reach: Reachability;
  readonly #answerMs: number;

  constructor(reach: Reachability, answerMs: number) {
    this.#reach = reach;
    this.#answerMs = answerMs;
  }

  async behind<T>(work: () => Promise<T>): Promise<T> {
    const impatient = setTimeout(() => void this.#reach.doubt(), this.#answerMs).unref();
    try {
      return await work();
    } catch (error) {
      const fault = postgresFault(error);
      if (fault.kind === 'unavailable') void this.#reach.doubt();
      throw fault;
    } finally {
      clearTimeout(impatient);
    }
  }

  /** Throws `StoreFault` while the database is known not to answer. */
  check(): void {
    const { outage } = this.#reach;
    if (outage !== undefined)
      throw new StoreFault('unavailable', `the database cannot be reached: ${outage.reason}`);
  }
}

/** What stands before a pool. `locked`: undefined if statements wait for locked tables. */
interface Guards {
  readonly wall: Wall;
  readonly jam: Jam;
  readonly locked?: LockedReads | undefined;
}

function guarded(client: pg.PoolClient, session: Session, { wall, jam, locked }: Guards): PostgresPoolClient {
  const behindWall = (sql: string, parameters: readonly unknown[]): Promise<unknown> =>
    wall.behind(() => jam.during(() => session.query(sql, parameters)));
  const query =
    locked === undefined
      ? behindWall
      : (sql: string, parameters: readonly unknown[]): Promise<unknown> =>
          locked.during(client, () => behindWall(sql, parameters));
  const release = (destroy?: boolean): void => {
    jam.left();
    client.release(destroy);
  };
  // The dialect gets no cursor class, so only the first of the two forms of `query` is ever called.
  return { query, release } as PostgresPoolClient;
}

/** The sessions of a pool, by their connections. */
type Sessions = WeakMap<pg.PoolClient, Session>;

/** pg's pool behind the wall. */
function guardedPool(guards: Guards, sessions: Sessions, end: () => Promise<void>): PostgresPool {
  const { wall, jam } = guards;
  const made = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: {},
    end,
    async connect() {
      wall.check();
      jam.check();
      return wall.behind(async () => {
        const client = await jam.take();
        try {
          const known = sessions.get(client);
          if (known !== undefined) await renewed(client, known);
          const session = known ?? (await prepared(client));
          sessions.set(client, session);
          const guardedClient = made.get(client) ?? guarded(client, session, guards);
          made.set(client, guardedClient);
          return guardedClient;
        } catch (error) {
          jam.left();
          throw error;
        }
      });
    },
  };
}

/** For a view of a pool that is ended elsewhere. */
const open = async (): Promise<void> => undefined;

/**
 * The pool replaces a connection that dies, but listens only to idle ones, and an unhandled error would end the
 * process.
 */
function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}

const kyselyOn = <Tables>(pool: PostgresPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

/**
 * Opens kysely on pg. While the database is away no caller waits for it: statements in progress are cut off,
 * and new ones fail at once.
 */
export function openPostgres<Tables>(url: string, patience: Patience): WatchedPostgres<Tables> {
  const sockets = new Sockets();
  const reach = new Reachability({
    probe: () => probe(url, patience.probe),
    reads: false,
    onAway: sockets.cut,
    clock: systemClock,
  });
  const common = {
    ...{ connectionString: url, types, application_name: 'causeway' },
    ...{ connectionTimeoutMillis: 10_000, keepAlive: true, stream: sockets.make },
  };
  const pool = poolOf({ ...common, max: MOST_POOLED, query_timeout: LONGEST_QUERY, idleTimeoutMillis: IDLE });
  const patientPool = poolOf({ ...common, max: 1, maxUses: 1, keepAliveInitialDelayMillis: IDLE });
  const wall = new Wall(reach, patience.answer);
  const jam = new Jam({ pool, most: MOST_POOLED - MOST_KEPT, long: patience.jam ?? LONGEST_QUERY });
  const locks = new TableLocks(url);
  const questions: KeptQuestion[] = [];
  const end = async (): Promise<void> => {
    for (const question of questions) question.end();
    await Promise.all([pool.end(), patientPool.end()]);
    reach.close();
    setTimeout(sockets.cut, GOODBYE).unref();
  };
  const over = (guards: Omit<Guards, 'wall'>, sessions: Sessions, ended = open): Kysely<Tables> =>
    kyselyOn(guardedPool({ ...guards, wall }, sessions, ended));
  const sessions: Sessions = new WeakMap();
  const db = over({ jam }, sessions, end);
  const locked = patience.jam === undefined ? undefined : new LockedReads(locks, patience.jam);
  return {
    db,
    reads: locked === undefined ? db : over({ jam, locked }, sessions),
    // Whoever uses it waits as long as it takes.
    unlimited: over({ jam: new Jam({ pool: patientPool, most: 1, long: undefined }) }, new WeakMap()),
    reach,
    isJammed: () => jam.isOn,
    lock: async () => (jam.hasStuck ? await locks.find() : undefined) ?? locks.kept(),
    asks: (sql) => {
      const question = new KeptQuestion(jam, sql, { answer: patience.answer + patience.probe, idle: IDLE });
      questions.push(question);
      return async () => {
        wall.check();
        return wall.behind(() => question.ask());
      };
    },
  };
}
