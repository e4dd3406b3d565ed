import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { storeOn, type Store } from '../../src/app/store.ts';
import type { Engine } from '../../src/db/engine.ts';
import { chunks } from '../../src/db/row.ts';
import { sqliteEngine } from '../../src/db/sqlite/sqlite.ts';
import { close } from '../../src/features/accounts/account.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyKeeper } from '../../src/tokens/sealing/key-rotation.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { sealedAs } from '../../src/tokens/sealing/sealed.ts';
import { migratedImage } from '../support/store.ts';
import { event, newAccount, NOW } from './records.ts';

/** A store, and how often bulk work let other processes write. */
async function opened() {
  const engine = sqliteEngine(':memory:', undefined, await migratedImage());
  let pauses = 0;
  const store = storeOn({
    ...engine,
    get reserve() {
      return engine.reserve;
    },
    pauses: () => async () => {
      pauses += 1;
    },
  });
  return { store, engine, pauses: () => pauses };
}

/** Counts that are too old, of an hour for each account. */
async function countOldCalls({ db }: Engine, accounts: readonly string[], hour: number): Promise<void> {
  for (const some of chunks(accounts, 500))
    await db
      .insertInto('call_hours')
      .values(
        some.map((id) => ({ hour, account_id: id, source: 'v1' as const, calls: 1, errors: 0, of_call: 0 })),
      )
      .execute();
}

const learnMany = (store: Store, accountId: string, count: number) =>
  store.crosswalk.learn(
    accountId,
    Array.from({ length: count }, (_, number) => ({ kind: 'client', number, uuid: randomUUID() })),
  );

describe('bulk work on a SQLite file', () => {
  it('lets other processes write after each thousand pairs that are learned', async () => {
    const { store, pauses } = await opened();
    const { id } = await store.accounts.add(newAccount());
    await learnMany(store, id, 2_500);
    expect(pauses()).toBe(2);
    await learnMany(store, id, 10);
    expect(pauses()).toBe(2);
    await store.close();
  });

  it('lets other processes write after each hundred values that get a new key', async () => {
    const { store, pauses } = await opened();
    const [old, both] = ['a', 'b,a'].map((ids) =>
      KeyRing.parse(new Secret(ids.split(',').map(keyLine).join(','))),
    );
    if (old === undefined || both === undefined) throw new Error('no keys');
    for (let n = 0; n < 150; n += 1) {
      const id = randomUUID();
      const accountKeySealed = old.seal(new Secret(`key ${n}`), id, sealedAs.accountKey);
      await store.accounts.add(newAccount({ id, accountKeySealed }));
    }
    const keeper = new KeyKeeper({
      ...{ repository: store.sealed, pauses: store.pauses, ring: both },
      ...{
        clock: { now: () => NOW },
        since: NOW,
        writesKept: 0,
        parity: { underEarlierKeys: () => Promise.resolve(0) },
      },
    });
    const places = await keeper.rotate();
    expect(places.find(({ place }) => place === 'account keys')).toMatchObject({ resealed: 150 });
    expect(pauses()).toBe(2);
    await store.close();
  });

  it('lets other processes write after each thousand pairs of an account that is erased', async () => {
    const { store, pauses } = await opened();
    const { id } = await store.accounts.add(newAccount());
    await learnMany(store, id, 2_500);
    await store.accounts.change(id, close, event('closed'));
    const before = pauses();
    expect(await store.forget(id)).toMatchObject({ outcome: 'forgotten', rows: expect.any(Number) });
    expect(pauses() - before).toBe(2);
    expect(await store.crosswalk.report(id)).toEqual([]);
    await store.close();
  });

  it('lets other processes write after each thousand hourly counts of calls that are too old', async () => {
    const { store, engine, pauses } = await opened();
    const accounts = Array.from({ length: 1_250 }, () => randomUUID());
    const old = NOW - (NOW % HOUR) - 9 * DAY;
    for (const hour of [old, old + HOUR]) await countOldCalls(engine, accounts, hour);
    await countOldCalls(engine, accounts.slice(0, 1), NOW - (NOW % HOUR));
    await store.calls.forget(NOW);
    expect(pauses()).toBe(2);
    const left = await engine.db.selectFrom('call_hours').select('hour').execute();
    expect(left).toEqual([{ hour: NOW - (NOW % HOUR) }]);
    await store.close();
  });

  it('lets other processes write after each thousand rows of calls that are too old', async () => {
    const { store, engine, pauses } = await opened();
    const old = Array.from({ length: 2_500 }, () => ({ account_id: randomUUID(), last_at: NOW - 8 * DAY }));
    for (const some of chunks([...old, { account_id: randomUUID(), last_at: NOW }], 500))
      await engine.db
        .insertInto('call_packs')
        .values(some.map((row) => ({ ...row, begun_at: row.last_at, calls: 1, content: '' })))
        .execute();
    await store.calls.forget(NOW);
    expect(pauses()).toBe(2);
    const left = await engine.db.selectFrom('call_packs').select('last_at').execute();
    expect(left).toEqual([{ last_at: NOW }]);
    await store.close();
  });
});

const keyLine = (id: string): string => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
