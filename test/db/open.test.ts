import { afterAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { eraseStore } from '../../src/app/erase-store.ts';
import { openStore } from '../../src/app/store.ts';
import { describeOnBoth } from './engines.ts';
import { newAccount, newGrant } from './records.ts';
import { sqlOf } from '../support/sql.ts';

const faultOf = async (url: string): Promise<StoreFault> => {
  try {
    await (await openStore(url)).close();
  } catch (error) {
    if (error instanceof StoreFault) return error;
    throw error;
  }
  throw new Error('it opened');
};

describeOnBoth('erasing a store', (bench) => {
  it('erases a marked database completely, and no other', async () => {
    await eraseStore(bench.url(), 'owner', 'demo');
    const store = await bench.store();
    const account = newAccount();
    await store.accounts.add(account);
    await newGrant(store);
    await expect(eraseStore(bench.url(), 'owner', 'demo')).rejects.toThrow('nothing was erased');
    await store.settings.set('owner', 'somebody');
    await expect(eraseStore(bench.url(), 'owner', 'demo')).rejects.toThrow('nothing was erased');
    expect(await store.accounts.byId(account.id)).toBeDefined();
    await store.settings.set('owner', 'demo');
    await eraseStore(bench.url(), 'owner', 'demo');
    const fresh = await bench.store();
    expect(await fresh.accounts.list()).toEqual([]);
    expect(await fresh.grants.list()).toEqual([]);
    expect(await fresh.settings.get('owner')).toBeUndefined();
    await fresh.accounts.add(account);
    expect(await fresh.accounts.timeline(account.id)).toHaveLength(1);
  });
});

describeOnBoth(
  'an empty database',
  (bench) => {
    it('gets its schema once, however many processes start together', async () => {
      const stores = await Promise.all([1, 2, 3, 4, 5].map(() => bench.store()));
      await Promise.all(stores.map((store) => store.ready()));
      await stores[0]?.settings.set('owner', 'demo');
      expect(await stores[4]?.settings.get('owner')).toBe('demo');
      const reopened = await bench.store();
      expect(await reopened.settings.get('owner')).toBe('demo');
    });
  },
  'nothing',
);

describeOnBoth('opening a store', (bench) => {
  it('keeps settings, and returns the last value set', async () => {
    const store = await bench.store();
    expect(await store.settings.get('nothing')).toBeUndefined();
    await store.settings.set('name', 'first');
    await store.settings.set('name', 'second');
    expect(await store.settings.get('name')).toBe('second');
  });

  it('lets processes that claim a name at once agree on one value', async () => {
    const stores = await bench.twoStores();
    const claims = ['a', 'b', 'c', 'd', 'e', 'f'].map((value, n) =>
      (n % 2 === 0 ? stores[0] : stores[1]).settings.claim('deployment', value),
    );
    const values = new Set(await Promise.all(claims));
    expect(values.size).toBe(1);
    expect(values).toContain(await stores[0].settings.claim('deployment', 'later'));
  });

  it('is not ready once it is closed', async () => {
    const store = await bench.store();
    await store.ready();
    await store.close();
    await expect(store.ready()).rejects.toThrow();
  });

  it('refuses a database of a newer release, and leaves it unchanged', async () => {
    const store = await bench.store();
    await store.settings.set('kept', 'yes');
    await sqlOf(bench.url(), `insert into schema_version (version, applied_at) values (999, 0)`);
    const fault = await faultOf(bench.url());
    expect(fault.message).toContain('newer Causeway (schema 999, this program knows');
    await sqlOf(bench.url(), `delete from schema_version where version = 999`);
    expect(await (await bench.store()).settings.get('kept')).toBe('yes');
  });
});

describe('opening a store on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-open-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const modes = (of: string): string[] =>
    readdirSync(of).map((name) => `${name} ${(statSync(join(of, name)).mode & 0o777).toString(8)}`);

  it('creates folder and files for the owner only', async () => {
    const own = join(folder, 'new', 'deeper');
    const store = await openStore(`sqlite:${join(own, 'store.db')}`);
    await store.settings.set('something', 'written');
    expect(modes(own).sort()).toEqual(['store.db 600', 'store.db-shm 600', 'store.db-wal 600']);
    expect(statSync(own).mode & 0o077).toBe(0);
    await store.close();
  });

  it('removes the access of other users from an existing file', async () => {
    const file = join(folder, 'open.db');
    writeFileSync(file, '', { mode: 0o644 });
    const store = await openStore(`sqlite:${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('keeps it in memory on request', async () => {
    const store = await openStore('sqlite::memory:');
    await store.settings.set('gone', 'soon');
    expect(await store.settings.get('gone')).toBe('soon');
    await store.close();
  });

  it('names the file it cannot use, and leaves it unchanged', async () => {
    const file = join(folder, 'letter.txt');
    writeFileSync(
      file,
      'This is a letter and no database, and long enough for nobody to mistake it for one. '.repeat(9),
    );
    chmodSync(file, 0o644);
    const fault = await faultOf(`sqlite:${file}`);
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(fault.message).toContain(file);
    expect(fault.message).toContain('not a database');
    expect((await faultOf(`sqlite:${join(file, 'below.db')}`)).message).toContain('below.db');
  });
});

describe('opening a store that does not exist', () => {
  const PASSWORD = 'correct-horse';

  it('refuses the address of an unknown database, without repeating it', async () => {
    for (const url of [
      '',
      'sqlite:',
      'mysql://me:correct-horse@db/x',
      'postgres',
      `postgres://me:${PASSWORD}@[`,
    ]) {
      const fault = await faultOf(url);
      expect(fault.message).toContain('must be sqlite:PATH or postgres://');
      expect(fault.message).not.toContain(PASSWORD);
    }
  });

  it('names server and database, not the password, if nothing answers', async () => {
    const port = await closedPort();
    const fault = await faultOf(`postgres://me:${PASSWORD}@127.0.0.1:${port}/causeway?application_name=x`);
    expect(fault.kind).toBe('unavailable');
    expect(fault.message).toContain(`postgres://127.0.0.1:${port}/causeway`);
    expect(fault.message).toContain('ECONNREFUSED');
    expect(JSON.stringify([fault.message, fault.stack, fault.cause])).not.toContain(PASSWORD);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

it('a folder that cannot be examined is reported for the database, and not for the file beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-unreadable-'));
  try {
    const loop = join(folder, 'loop');
    symlinkSync(loop, loop);
    const path = join(loop, 'causeway.db');
    const error: unknown = await openStore(`sqlite:${path}`).then(
      (store) => store.close(),
      (problem: unknown) => problem,
    );
    expect(String(error)).not.toContain('.reserve');
    expect(error).toBeInstanceOf(Error);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
