import { randomUUID } from 'node:crypto';
import { sqlOf } from './sql.ts';

/** The server on which tests may make databases. Empty means none, as for every setting. */
export const postgresServer = process.env.CAUSEWAY_TEST_POSTGRES_URL ?? '';

/** A migrated database there; where there is none, a new database is migrated by the store that opens it. */
const template = process.env.CAUSEWAY_TEST_POSTGRES_TEMPLATE ?? '';

export interface TestDatabase {
  readonly url: string;
  /** Whoever is still connected. */
  readonly drop: () => Promise<void>;
}

/** A database of its own. `made`: what follows `create database NAME`; a copy of the migrated one, unless said. */
export async function createPostgresDatabase(
  made = template === '' ? '' : `template ${template}`,
): Promise<TestDatabase> {
  const name = `causeway_${randomUUID().replaceAll('-', '')}`;
  await sqlOf(postgresServer, `create database ${name} ${made}`);
  const url = new URL(postgresServer);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => sqlOf(postgresServer, `drop database ${name} with (force)`) };
}
