import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { isSqlite, sqlitePath } from '../lib/text/sqlite-address.ts';

/** Name of the setting that marks a demo's database, whose tables may be erased. */
export const DEMO_MARK = 'demo';

/**
 * Owner of a database. `empty`: it does not exist or contains nothing. `demo`: marked as the demo's own.
 * `foreign`: anything else, which is never erased.
 */
export type Ownership = 'empty' | 'demo' | 'foreign';

/** Only reads: creates no table and migrates nothing. */
export function ownership(url: string): Promise<Ownership> {
  return isSqlite(url) ? Promise.resolve(sqliteOwnership(sqlitePath(url))) : postgresOwnership(url);
}

function sqliteOwnership(path: string): Ownership {
  if (path === ':memory:' || !existsSync(path)) return 'empty';
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    if (tables.length === 0) return 'empty';
    if (!tables.some(({ name }) => name === 'settings')) return 'foreign';
    const mark = database.prepare('select value from settings where name = ?').get(DEMO_MARK);
    return mark === undefined ? 'foreign' : 'demo';
  } catch {
    return 'foreign';
  } finally {
    database?.close();
  }
}

async function postgresOwnership(url: string): Promise<Ownership> {
  return withPostgres(url, async (client) => {
    const names = await tablesOf(client);
    if (names.length === 0) return 'empty';
    if (!names.includes('settings')) return 'foreign';
    const marks = await client
      .query('select value from settings where name = $1', [DEMO_MARK])
      .catch(() => undefined);
    return (marks?.rowCount ?? 0) > 0 ? 'demo' : 'foreign';
  });
}

/** Removes the demo's data. The caller has checked that the database is marked. */
export async function erase(url: string): Promise<void> {
  if (isSqlite(url)) {
    eraseFile(sqlitePath(url));
    return;
  }
  await withPostgres(url, async (client) => {
    const tables = (await tablesOf(client)).map((name) => client.escapeIdentifier(name));
    if (tables.length > 0) await client.query(`drop table ${tables.join(', ')} cascade`);
  });
}

/**
 * Removes a file together with its write-ahead log: a stale log beside a new file can corrupt it
 * (sqlite.org/howtocorrupt.html).
 */
export function eraseFile(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}

async function tablesOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema()',
  );
  return rows.map(({ name }) => name);
}

async function withPostgres<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const library = await import('pg');
  const client = new library.default.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The query in progress reports the error; without a listener it would end the process first.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
