import { chownSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { canMount, smallDisk, type SmallDisk } from '../../scripts/testing/small-disk.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { createPostgresDatabase, postgresServer } from '../support/postgres.ts';
import { sqlOf } from '../support/sql.ts';

async function hindrance(store: Store): Promise<unknown> {
  return store.writable().then(
    () => 'writable',
    (error: unknown) => (error instanceof StoreFault ? error.hindrance : error),
  );
}

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A store on a database of its own. `made`: what follows `create database NAME`. */
async function opened(made?: string): Promise<{ readonly url: string; readonly store: Store }> {
  const { url, drop } = await createPostgresDatabase(made);
  closers.push(drop);
  const store = await openStore(url);
  closers.push(() => store.close());
  return { url, store };
}

(postgresServer === '' ? describe.skip : describe)('a write that PostgreSQL refuses', () => {
  it.each([
    ['53100', 'full'],
    ['53200', 'out-of-memory'],
    ['25006', 'read-only'],
  ])('with %s is reported as %s, and not as a database that is down', async (state, told) => {
    const { url, store } = await opened();
    await sqlOf(
      url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no' using errcode = '${state}'; end $$`,
    );
    await sqlOf(
      url,
      'create trigger refuse before insert or update on settings for each row execute function refuse()',
    );
    expect(await hindrance(store)).toBe(told);
    await expect(store.writable()).rejects.toThrow('the database refused: no');
    expect(store.outage).toBeUndefined();
    await sqlOf(url, 'drop trigger refuse on settings');
    expect(await hindrance(store)).toBe('writable');
  });

  it('leaves nothing behind if it only tests whether a table could grow', async () => {
    const { url, store } = await opened();
    await store.writable();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select relname from pg_class where relname like 'room%'");
    await client.end();
    expect(rows).toEqual([]);
  });
});

/** The folder of a tablespace belongs to the user the server runs as: whoever owns its data. */
async function dataOwner(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  const client = new pg.Client({ connectionString: postgresServer });
  await client.connect();
  const { rows } = await client.query<{ readonly folder: string }>(
    "select current_setting('data_directory') as folder",
  );
  await client.end();
  return statSync(rows[0]?.folder ?? '', { throwIfNoEntry: false });
}

const owner = postgresServer !== '' && canMount() ? await dataOwner() : undefined;

(owner === undefined ? describe.skip : describe)('a PostgreSQL database on a disk of 24 MB', () => {
  let disk: SmallDisk;
  const space = `small_${randomUUID().replaceAll('-', '')}`;

  beforeEach(async () => {
    const mounted = smallDisk(24);
    if (mounted === undefined) throw new Error('the disk could not be mounted');
    disk = mounted;
    const folder = join(disk.folder, 'space');
    mkdirSync(folder);
    for (const one of [disk.folder, folder]) chownSync(one, owner?.uid ?? 0, owner?.gid ?? 0);
    await sqlOf(postgresServer, `create tablespace ${space} location '${folder}'`);
    closers.push(async () => {
      disk.empty();
      await sqlOf(postgresServer, `drop tablespace ${space}`);
      rmSync(folder, { recursive: true, force: true });
      disk.unmount();
    });
  });

  it('does not count as writable because a page has room for one more row', async () => {
    const { store } = await opened(`tablespace ${space}`);
    await store.settings.set('mark', 'before');
    disk.fill();
    await store.settings.set('mark', 'after');
    expect(await hindrance(store)).toBe('full');
    disk.empty();
    expect(await hindrance(store)).toBe('writable');
  });
});

describe('the check whether anything can be stored', () => {
  it('writes, unless its caller has stored something within the last second', async () => {
    const store = await openStore('sqlite::memory:');
    closers.push(() => store.close());
    await store.writable(performance.now());
    expect(await store.settings.get('write-check')).toBeUndefined();
    await store.writable(performance.now() - 1_000);
    expect(await store.settings.get('write-check')).toBeDefined();
  });
});
