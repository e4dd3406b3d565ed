import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { storeOn, type Store } from '../../src/app/store.ts';
import { sqliteEngine } from '../../src/db/sqlite/sqlite.ts';
import { close } from '../../src/features/accounts/account.ts';
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
  return { store, pauses: () => pauses };
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
});

const keyLine = (id: string): string => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
