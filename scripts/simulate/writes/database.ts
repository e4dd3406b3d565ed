import { randomUUID } from 'node:crypto';
import { openStore, type Store } from '../../../src/app/store.ts';
import { BadOption } from '../part.ts';
import type { StoreKind } from './options.ts';

/** The database that all processes share, and how to remove it. */
export interface Database {
  readonly store: Store;
  close(): Promise<void>;
}

export const openDatabase = (kind: StoreKind): Promise<Database> =>
  kind === 'sqlite' ? openSqlite() : openPostgres();

async function openSqlite(): Promise<Database> {
  const store = await openStore('sqlite::memory:');
  return { store, close: () => store.close() };
}

/** A separate database on the server that the tests use. Throws `BadOption` if there is none. */
async function openPostgres(): Promise<Database> {
  const server = process.env.CAUSEWAY_TEST_POSTGRES_URL ?? '';
  if (server === '')
    throw new BadOption('--store postgres needs a server: CAUSEWAY_TEST_POSTGRES_URL=postgres://…');
  const name = `causeway_simulated_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const store = await openStore(url.href);
  return {
    store,
    close: async () => {
      await store.close();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(server: string, statement: string): Promise<void> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
