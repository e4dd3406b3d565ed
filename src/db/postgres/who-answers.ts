import { postgresFault } from '../fault.ts';
import { look } from './session.ts';

/** The server or pooler at an address of PostgreSQL. */
export interface Answering {
  /** A pooler answers, so session settings are unreliable. */
  readonly isPooled: boolean;
  /** A standby, which replicates another server and accepts no writes. */
  readonly isStandby: boolean;
  /** Server process and database; equal for addresses that lead to the same database. */
  readonly database: string;
}

const DATABASE = `select extract(epoch from pg_postmaster_start_time())::text || ' ' || oid as database
  from pg_database where datname = current_database()`;

/** Connects, queries and disconnects. Throws `StoreFault`. */
export async function whoAnswers(url: string, millis: number): Promise<Answering> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    application_name: 'causeway-look',
    connectionTimeoutMillis: millis,
    query_timeout: millis,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { isPooled, isStandby } = await look(client);
    const { rows } = await client.query<Pick<Answering, 'database'>>(DATABASE);
    return { isPooled, isStandby, database: rows[0]?.database ?? '' };
  } catch (error) {
    throw postgresFault(error);
  } finally {
    void client.end().catch(() => undefined);
  }
}
