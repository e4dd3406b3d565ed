import { sql } from 'kysely';
import type { Engine } from '../engine.ts';

/** A PostgreSQL server's description of itself. */
export interface ServerFacts {
  /** `170002` for 17.2. */
  readonly version: number;
  /** The default of a new session of this user; our sessions raise it. */
  readonly synchronousCommit: string;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  readonly maxConnections: number;
  readonly reserved: number;
  readonly connections: number;
  /** `synchronous_standby_names`: the standbys that a commit waits for. Empty: none. */
  readonly standbyNames: string;
  /** Connected standbys, the number that a commit waits for, and the number whose state is not visible. */
  readonly standbys: number;
  readonly synchronous: number;
  readonly hidden: number;
  /** The server's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** Asks the server; throws `StoreFault`. */
export async function serverFacts(engine: Engine): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::int as "version",
      (select reset_val from pg_settings where name = 'synchronous_commit') as "synchronousCommit",
      current_setting('fsync')::bool as "fsync",
      current_setting('full_page_writes')::bool as "fullPageWrites",
      current_setting('max_connections')::int as "maxConnections",
      current_setting('superuser_reserved_connections')::int as "reserved",
      (select count(*) from pg_stat_activity where backend_type = 'client backend' or backend_type is null) as "connections",
      current_setting('synchronous_standby_names') as "standbyNames",
      (select count(*) from pg_stat_replication) as "standbys",
      (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')) as "synchronous",
      (select count(*) from pg_stat_replication where sync_state is null) as "hidden",
      ${engine.now} as "now"`.execute(engine.reads);
  const [facts] = rows;
  if (facts === undefined) throw new Error('the server says nothing about itself');
  return facts;
}
