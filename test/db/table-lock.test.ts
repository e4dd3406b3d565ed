import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openStore, type Store } from '../../src/app/store.ts';
import { eventually, until } from '../support/clock.ts';
import { createPostgresDatabase, postgresServer, type TestDatabase } from '../support/postgres.ts';
import { newAccount } from './records.ts';

/** A server that is there is not taken for one that is away, however busy the machine. */
const patience = { answer: 1_000, probe: 60_000, jam: 100 };

const withPostgres = postgresServer === '' ? describe.skip : describe;

withPostgres('a read of a PostgreSQL table that somebody has locked', () => {
  let database: TestDatabase;
  let store: Store;
  let other: pg.Client;
  const known = newAccount();

  beforeEach(async () => {
    database = await createPostgresDatabase();
    store = await openStore(database.url, undefined, patience);
    await store.accounts.add(known);
    other = new pg.Client({ connectionString: database.url, application_name: 'nightly job' });
    await other.connect();
  });

  afterEach(async () => {
    await other.end();
    await store.close();
    await database.drop();
  });

  const lock = async (table: string): Promise<void> => {
    await other.query('begin');
    await other.query(`lock table ${table} in access exclusive mode`);
  };
  const unlocked = (): Promise<boolean> =>
    eventually('no statement waits', async () => ((await store.lock()) === undefined ? true : undefined));

  it('fails while the table is locked, and says by whom, instead of waiting until the server ends it', async () => {
    await lock('accounts');
    await expect(store.accounts.byKeyIndex(['of nobody'])).rejects.toMatchObject({
      ...{ kind: 'unavailable', hindrance: 'locked' },
      message: expect.stringMatching(
        /^process \d+ of PostgreSQL \(nightly job\) has locked the table accounts$/,
      ),
    });
    expect(await store.lock()).toContain('has locked the table accounts');
    expect(store.outage).toBeUndefined();
    await other.query('rollback');
    expect(await store.accounts.byKeyIndex(['of nobody'])).toBeUndefined();
    await unlocked();
  });

  it("fails behind a change of the table by another role that waits for somebody's report, and names the report", async () => {
    const role = `admin_${randomBytes(6).toString('hex')}`;
    await other.query(`create role ${role} superuser login password 'x'`);
    const address = Object.assign(new URL(database.url), { username: role, password: 'x' });
    const admin = new pg.Client({ connectionString: address.href, application_name: 'upgrade' });
    await admin.connect();
    await other.query('begin');
    await other.query('select count(*) from accounts');
    const altered = admin.query('alter table accounts add column more integer').catch(() => undefined);
    const waits =
      "select 1 from pg_stat_activity where application_name = 'upgrade' and wait_event_type = 'Lock'";
    await until('the change waits', async () => (await other.query(waits)).rowCount === 1);
    await expect(store.accounts.byKeyIndex(['of nobody'])).rejects.toMatchObject({
      hindrance: 'locked',
      message: expect.stringMatching(/\(nightly job\) has locked the table accounts$/),
    });
    await other.query('rollback');
    await altered;
    await admin.end();
    await other.query(`drop role ${role}`);
    await unlocked();
  });

  it('leaves its connection to statements that need another table', async () => {
    await lock('accounts');
    for (let round = 0; round < 3; round += 1) {
      const reads = [1, 2, 3, 4].map(() => store.accounts.byKeyIndex(['of nobody']));
      for (const read of reads) await expect(read).rejects.toMatchObject({ hindrance: 'locked' });
    }
    expect(await store.settings.get('of nobody')).toBeUndefined();
    await other.query('rollback');
    await unlocked();
  });

  it('is not needed to serve an account whose own row can be read', async () => {
    await store.close();
    // The question is given up after the sum of both.
    store = await openStore(database.url, undefined, { answer: 500, probe: 4_000, jam: 100 });
    await lock('account_marks');
    const state = await new Promise((resolve) => {
      store.changes.ask?.(() => {
        resolve(store.changes.state());
      });
    });
    expect(state).toBeUndefined();
    expect(await store.accounts.byId(known.id)).toMatchObject({ id: known.id });
    await other.query('rollback');
    await unlocked();
  });

  it('is waited for where nobody has locked anything', async () => {
    expect(await store.lock()).toBeUndefined();
    await lock('account_events');
    expect(await store.accounts.byId(known.id)).toMatchObject({ id: known.id });
    await other.query('rollback');
  });
});
