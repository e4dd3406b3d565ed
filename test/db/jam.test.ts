import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openStore, type Store } from '../../src/app/store.ts';
import { createPostgresDatabase, postgresServer, type TestDatabase } from '../support/postgres.ts';
import { newAccount } from './records.ts';

/** A server that is there is not taken for one that is away, however busy the machine. */
const patience = { answer: 1_000, probe: 60_000, jam: 100 };
/** Of the pool. */
const CONNECTIONS = 10;

const jammed = { kind: 'unavailable', message: expect.stringContaining('every connection waits') };

const withPostgres = postgresServer === '' ? describe.skip : describe;

withPostgres('a PostgreSQL table that somebody has locked', () => {
  let database: TestDatabase;
  let store: Store;
  let other: pg.Client;
  const known = newAccount();

  beforeEach(async () => {
    database = await createPostgresDatabase();
    store = await openStore(database.url, undefined, patience);
    await store.accounts.add(known);
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query('begin');
    await other.query('lock table account_events in access exclusive mode');
  });

  afterEach(async () => {
    await other.end();
    await store.close();
    await database.drop();
  });

  /** Each has a connection of its own, and waits for the table. */
  const notes = (count: number): readonly Promise<unknown>[] =>
    Array.from({ length: count }, () =>
      store.accounts.note(known.id, { at: 1, kind: 'note', actor: 'test', detail: '' }),
    );

  it('fails what needs another table at once when every connection waits for it, and nothing afterwards', async () => {
    const waiting = Promise.allSettled(notes(CONNECTIONS + 2));
    await expect(store.accounts.byId(known.id)).rejects.toMatchObject(jammed);
    await expect(store.accounts.byId(known.id)).rejects.toMatchObject(jammed);
    await other.query('rollback');
    const refused = (await waiting).flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    );
    // One connection may be kept for the question whether accounts have changed.
    expect([2, 3]).toContain(refused.length);
    for (const reason of refused) expect(reason).toMatchObject(jammed);
    expect(await store.accounts.byId(known.id)).toMatchObject({ id: known.id });
    expect(store.outage).toBeUndefined();
  });

  it('does not concern other tables while connections are free', async () => {
    const waiting = notes(CONNECTIONS / 2);
    expect(await store.accounts.byId(known.id)).toMatchObject({ id: known.id });
    await other.query('rollback');
    await Promise.all(waiting);
  });
});
