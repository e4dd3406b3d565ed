import { afterAll, beforeAll, describe } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../src/app/store.ts';
import { createPostgresDatabase, postgresServer, type TestDatabase } from '../support/postgres.ts';
import { migratedImage } from '../support/store.ts';

/** What a suite finds in its database. */
type Content = 'schema' | 'nothing';

type Engine = 'SQLite' | 'PostgreSQL';

interface TestEngine {
  readonly available: boolean;
  readonly create: (content: Content) => Promise<TestDatabase>;
}

const engines: Readonly<Record<Engine, TestEngine>> = {
  SQLite: {
    available: true,
    async create(content) {
      const folder = mkdtempSync(join(tmpdir(), 'causeway-store-'));
      const file = join(folder, 'store.db');
      if (content === 'schema') writeFileSync(file, await migratedImage());
      return {
        url: `sqlite:${file}`,
        drop: async () => {
          rmSync(folder, { recursive: true });
        },
      };
    },
  },
  PostgreSQL: {
    available: postgresServer !== '',
    create: (content) => createPostgresDatabase(content === 'nothing' ? '' : undefined),
  },
};

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
export function describeOnBoth(
  title: string,
  suite: (bench: Bench) => void,
  content: Content = 'schema',
): void {
  for (const name of ['SQLite', 'PostgreSQL'] as const) describeOn(name, title, suite, content);
}

/** On one database alone. */
export function describeOn(
  name: Engine,
  title: string,
  suite: (bench: Bench) => void,
  content: Content = 'schema',
): void {
  const { available, create } = engines[name];
  (available ? describe : describe.skip)(`${title} (${name})`, () => {
    let database: TestDatabase | undefined;
    const stores: Store[] = [];
    const url = (): string => {
      if (!database) throw new Error('the database is made before the first test');
      return database.url;
    };
    beforeAll(async () => {
      database = await create(content);
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
    suite({ engine: name, url, store, twoStores: async () => [await store(), await store()] });
  });
}
