import pg from 'pg';
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { postgresFault } from './fault.ts';

/** bigint columns hold milliseconds, counters and 32-bit identifiers: all of them exact as a JavaScript number. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

function guarded(client: pg.PoolClient): PostgresPoolClient {
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(sql, [...parameters]);
    } catch (error) {
      throw postgresFault(error);
    }
  };
  const release = (destroy?: boolean): void => {
    client.release(destroy);
  };
  // The dialect is given no cursor class: of the two forms of `query` only the first is ever called.
  return { query, release } as PostgresPoolClient;
}

/** pg's pool, with every error turned into a `StoreFault` at the wall. */
function guardedPool(pool: pg.Pool): PostgresPool {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw postgresFault(error);
      });
      const known = clients.get(client) ?? guarded(client);
      clients.set(client, known);
      return known;
    },
  };
}

/**
 * kysely over pg. A server that acknowledges before the commit is on disk would break the promise every book
 * makes, so that setting is raised for our sessions; a stronger one is left alone. A frozen process must not
 * hold row locks for ever, hence the limit on idle transactions.
 */
export function openPostgres<Tables>(url: string): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 10,
    application_name: 'causeway',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    statement_timeout: 30_000,
    query_timeout: 60_000,
    idle_in_transaction_session_timeout: 15_000,
    idleTimeoutMillis: 60_000,
  });
  // A connection that dies while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  const dialect = new PostgresDialect({
    pool: guardedPool(pool),
    onCreateConnection: async (connection) => {
      await connection.executeQuery(
        CompiledQuery.raw(
          `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
        ),
      );
    },
  });
  return new Kysely<Tables>({ dialect });
}
