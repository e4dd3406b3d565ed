import { afterAll, beforeAll, describe } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openStore, type Store } from '../../src/app/store.ts';

interface Database {
  readonly url: string;
  drop(): Promise<void>;
}

interface TestEngine {
  readonly name: string;
  readonly available: boolean;
  create(): Promise<Database>;
}

/** Empty means none, as for every setting. */
const server = process.env.CAUSEWAY_TEST_POSTGRES_URL ?? '';

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const engines: readonly TestEngine[] = [
  {
    name: 'SQLite',
    available: true,
    async create() {
      const folder = mkdtempSync(join(tmpdir(), 'causeway-store-'));
      return {
        url: `sqlite:${join(folder, 'store.db')}`,
        drop: async () => {
          rmSync(folder, { recursive: true });
        },
      };
    },
  },
  {
    name: 'PostgreSQL',
    available: server !== '',
    async create() {
      const name = `causeway_${randomUUID().replaceAll('-', '')}`;
      await onServer((client) => client.query(`create database ${name}`));
      const url = new URL(server);
      url.pathname = `/${name}`;
      return {
        url: url.href,
        drop: async () => {
          await onServer((client) => client.query(`drop database ${name} with (force)`));
        },
      };
    },
  },
];

/** A database of its own for each suite, and as many stores on it as a test likes: each is as good as a process. */
export interface Bench {
  readonly engine: string;
  url(): string;
  /** Open until the suite ends. */
  store(): Promise<Store>;
  twoStores(): Promise<readonly [Store, Store]>;
}

/** Deals work out to two processes in turn. */
export const either = <T>(stores: readonly [T, T], turn: number): T =>
  turn % 2 === 0 ? stores[0] : stores[1];

/** Without a server the PostgreSQL half is skipped, by name. */
export function describeOnBoth(title: string, suite: (bench: Bench) => void): void {
  for (const engine of engines) {
    const describeIt = engine.available ? describe : describe.skip;
    describeIt(`${title} (${engine.name})`, () => {
      let database: Database | undefined;
      const stores: Store[] = [];
      const url = (): string => {
        if (!database) throw new Error('the database is made before the first test');
        return database.url;
      };
      beforeAll(async () => {
        database = await engine.create();
      });
      afterAll(async () => {
        for (const store of stores) await store.close();
        await database?.drop();
      });
      const store = async (): Promise<Store> => {
        const opened = await openStore(url());
        stores.push(opened);
        return opened;
      };
      suite({
        engine: engine.name,
        url,
        store,
        twoStores: async () => [await store(), await store()],
      });
    });
  }
}
