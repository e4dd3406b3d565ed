import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealPair } from '../../src/tokens/grant-row.ts';
import { sealedAs, type SealedRepository } from '../../src/tokens/sealing/sealed.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { KeyKeeper, missingKeys } from '../../src/tokens/sealing/key-rotation.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { describeOnBoth } from '../db/engines.ts';
import { NOW, anna, newAccount } from '../db/records.ts';
import { jobSteps, lose, type LostWrite } from '../support/writes.ts';
import { sqlOf } from '../support/sql.ts';

const keyLine = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const ringOf = (...lines: readonly string[]): KeyRing => KeyRing.parse(new Secret(lines.join(',')));

// The `_` of an id is no wildcard, and an id that begins like another is another.
const OLD = keyLine('k_1', 1);
const NEW = keyLine('k_12', 2);
const LIKE_OLD = keyLine('kx1', 3);

const terms = { now: NOW, writesKept: 30 * DAY };
const keeping = ({ pauses }: Store) => ({
  clock: { now: () => NOW },
  pauses,
  since: NOW,
  parity: { underEarlierKeys: () => Promise.resolve(0) },
  writesKept: 30 * DAY,
});
const keeperOf = (store: Store, ring: KeyRing): KeyKeeper =>
  new KeyKeeper({ repository: store.sealed, ring, ...keeping(store) });

interface Kept {
  readonly accountId: string;
  readonly grantId: string;
  readonly key: Secret;
}

async function accountWithGrant(store: Store, ring: KeyRing): Promise<Kept> {
  const [id, key, grantId] = [randomUUID(), new Secret(`key-${randomUUID()}`), randomUUID()];
  const api = new Secret(`api-${id}`);
  await store.accounts.add(
    newAccount({
      id,
      accountKeyIndex: ring.index(key, 'account-key')[0] ?? '',
      accountKeySealed: ring.seal(key, id, sealedAs.accountKey),
      apiKeyIndex: ring.index(api, 'api-key')[0] ?? '',
      apiKeySealed: ring.seal(api, id, sealedAs.apiKey),
    }),
  );
  const [seen, pinId] = [new Secret(`seen-${id}`), randomUUID()];
  await store.accounts.pinApiKey(id, {
    id: pinId,
    indexes: ring.index(seen, 'api-key'),
    sealed: ring.seal(seen, pinId, sealedAs.apiKey),
    at: NOW,
  });
  const tokens = sealPair(ring, grantId, {
    generation: 1,
    accessToken: new Secret(`access-${grantId}`),
    accessExpiresAt: NOW,
    refreshToken: new Secret(`refresh-${grantId}`),
  });
  await store.grants.create({ id: grantId, consenter: anna, scope: 'openid', tokens, now: NOW });
  return { accountId: id, grantId, key };
}

async function expectReadable(store: Store, ring: KeyRing, { accountId, grantId, key }: Kept): Promise<void> {
  const found = await store.accounts.byKeyIndex(ring.index(key, 'account-key'));
  expect(found?.account.id).toBe(accountId);
  const keys = await store.accounts.sealedKeys(accountId);
  expect(ring.open(keys?.accountKey ?? '', accountId, sealedAs.accountKey).reveal()).toBe(key.reveal());
  expect(ring.open(keys?.apiKey?.sealed ?? '', accountId, sealedAs.apiKey).reveal()).toBe(`api-${accountId}`);
  expect(ring.index(new Secret(`api-${accountId}`), 'api-key')).toContain(found?.apiKeyIndex);
  expect(ring.index(new Secret(`seen-${accountId}`), 'api-key')).toEqual(
    expect.arrayContaining([...(found?.pinned ?? [])]),
  );
  expect(found?.pinned).toHaveLength(1);
  const grant = await store.grants.find(grantId);
  if (grant === undefined || grant.state === 'lost') throw new Error('the grant is gone');
  const { refreshToken } = grant.tokens;
  expect(ring.open(refreshToken, grantId, sealedAs.refreshToken).reveal()).toBe(`refresh-${grantId}`);
}

const replacing = (repository: SealedRepository, replace: SealedRepository['replace']): SealedRepository => ({
  places: repository.places,
  counts: (...args) => repository.counts(...args),
  others: (...args) => repository.others(...args),
  indexedBefore: (...args) => repository.indexedBefore(...args),
  replace,
});

const valuesOf = async (keeper: KeyKeeper): Promise<Readonly<Record<string, number>>> =>
  Object.fromEntries((await keeper.status()).keys.map(({ id, values }) => [id, values]));

describeOnBoth('sealing again with a new key', (bench) => {
  it('leaves nothing under the old key: every value and hash uses the new one', async () => {
    const store = await bench.store();
    const old = ringOf(OLD);
    const kept: Kept[] = [];
    // More than two transactions hold.
    for (let n = 0; n < 230; n += 1) kept.push(await accountWithGrant(store, old));
    const both = ringOf(NEW, OLD);
    const keeper = keeperOf(store, both);
    expect(await valuesOf(keeper)).toEqual({ k_12: 0, k_1: 5 * 230 });

    const places = await keeper.rotate();

    expect(places.map(({ resealed }) => resealed)).toEqual([
      ...Array<number>(5).fill(230),
      ...Array<number>(16).fill(0),
    ]);
    expect(await valuesOf(keeper)).toEqual({ k_12: 5 * 230, k_1: 0 });
    for (const one of kept) await expectReadable(store, ringOf(NEW), one);
    expect((await keeper.rotate()).every(({ resealed }) => resealed === 0)).toBe(true);
  });

  it('continues where it was interrupted', async () => {
    const store = await bench.store();
    const kept = [
      await accountWithGrant(store, ringOf(OLD)),
      await accountWithGrant(store, ringOf(OLD)),
      await accountWithGrant(store, ringOf(NEW)),
    ];
    let left = 1;
    const breaking = replacing(store.sealed, async (...args) => {
      if (left-- === 0) throw new Error('killed');
      return store.sealed.replace(...args);
    });
    const both = ringOf(NEW, OLD);
    const dying = new KeyKeeper({ repository: breaking, ring: both, ...keeping(store) });
    await expect(dying.rotate()).rejects.toThrow('killed');
    for (const one of kept) await expectReadable(store, both, one);
    await keeperOf(store, both).rotate();
    for (const one of kept) await expectReadable(store, ringOf(NEW), one);
  });

  it('skips a value that another process changed meanwhile', async () => {
    const store = await bench.store();
    const { accountId } = await accountWithGrant(store, ringOf(OLD));
    const both = ringOf(NEW, OLD);
    const other = new Secret('another API key');
    const racing = replacing(store.sealed, async (...args) => {
      if (args[0].column !== sealedAs.apiKey) return store.sealed.replace(...args);
      const sealed = both.seal(other, accountId, sealedAs.apiKey);
      await sqlOf(bench.url(), `update accounts set api_key_sealed = '${sealed}' where id = '${accountId}'`);
      return store.sealed.replace(...args);
    });
    const places = await new KeyKeeper({ repository: racing, ring: both, ...keeping(store) }).rotate();
    expect(places.find(({ place }) => place === 'API keys')).toMatchObject({ overtaken: 1 });
    const keys = await store.accounts.sealedKeys(accountId);
    expect(both.open(keys?.apiKey?.sealed ?? '', accountId, sealedAs.apiKey).reveal()).toBe(
      'another API key',
    );
  });

  it('names values that no key opens, and continues', async () => {
    const store = await bench.store();
    const foreign = await accountWithGrant(store, ringOf(LIKE_OLD));
    const ours = await accountWithGrant(store, ringOf(OLD));
    const both = ringOf(NEW, OLD);
    const places = await keeperOf(store, both).rotate();
    expect(places[0]?.unreadable).toEqual([foreign.accountId]);
    expect((await keeperOf(store, both).status()).foreign).toBe(5);
    await expectReadable(store, ringOf(NEW), ours);
    expect(await missingKeys(store.sealed, both)).toEqual(['kx1']);
    expect(await missingKeys(store.sealed, ringOf(NEW, LIKE_OLD))).toEqual([]);
  });

  it('lists the links and tokens that were stored under an older key', async () => {
    const store = await bench.store();
    const { accountId } = await accountWithGrant(store, ringOf(NEW));
    const link = (issued: number, expires: number) =>
      store.invitations.issue({
        id: randomUUID(),
        accountId,
        linkIndex: randomUUID(),
        now: issued,
        expiresAt: expires,
      });
    await link(NOW - 10, NOW + 50);
    await link(NOW - 20, NOW + 40);
    await link(NOW - 20, NOW - 1);
    await link(NOW, NOW + 90);
    await store.tokens.create({ id: randomUUID(), name: 'unused', scope: 'read', index: 'i1', now: NOW - 5 });
    await store.tokens.create({ id: randomUUID(), name: 'fresh', scope: 'read', index: 'i2', now: NOW });
    for (const [state, at] of Object.entries({ granted: NOW - 5, refused: NOW - 4, waiting: NOW }))
      await sqlOf(
        bench.url(),
        `insert into grant_imports (id, account_id, token_index, state, organisations, who, started_at, since)
         values ('${randomUUID()}', '${accountId}', '${state}', '${state}', '[]', 'nora', ${at}, ${at})`,
      );
    expect(await store.sealed.indexedBefore(NOW, terms)).toEqual({
      invitations: { count: 2, last: NOW + 50 },
      pages: { count: 0, last: undefined },
      tokens: ['unused'],
      samples: { count: 0, last: undefined },
      keyed: { writes: 0, until: undefined },
      unfinished: { writes: 0, until: undefined, unsettled: 0 },
      imports: 1,
      erased: 0,
    });
    // Looked up by both keys' indexes: from now on the first one's counts.
    const used = await store.tokens.byIndex(['n1', 'i1']);
    if (used === undefined) throw new Error('not found by its older index');
    await store.tokens.used(used, NOW);
    expect((await store.tokens.byIndex(['n1']))?.name).toBe('unused');
    expect(await store.tokens.byIndex(['i1'])).toBeUndefined();
    expect((await store.sealed.indexedBefore(NOW, terms)).tokens).toEqual([]);
  });
});

describeOnBoth('the writes that only an older key recognises', (bench) => {
  const stage = async () => {
    const [store, ring] = [await bench.store(), ringOf(OLD)];
    const { accountId } = await accountWithGrant(store, ring);
    await sqlOf(bench.url(), 'delete from writes');
    return {
      store,
      losing: (lost: Partial<LostWrite>) => lose({ store, ring }, { accountId, at: NOW - MINUTE, ...lost }),
    };
  };

  it('are those with an Idempotency-Key, for a day', async () => {
    const { store, losing } = await stage();
    const [old, recent] = [NOW - DAY, NOW - DAY + MINUTE];
    for (const at of [old, recent, NOW - HOUR, NOW + 2 * HOUR])
      await losing({ at, idempotency: [`key ${at}`] });
    await losing({});
    const { keyed } = await store.sealed.indexedBefore(NOW, terms);
    expect(keyed).toEqual({ writes: 2, until: NOW - HOUR + DAY });
  });

  it('include those that a bridge recorded which took the new key an hour later', async () => {
    const { store, losing } = await stage();
    await losing({ at: NOW + 59 * MINUTE, idempotency: ['key'] });
    const { keyed } = await store.sealed.indexedBefore(NOW, { ...terms, now: NOW + HOUR });
    expect(keyed).toEqual({ writes: 1, until: NOW + 59 * MINUTE + DAY });
  });

  it('are those of several steps that were not all done, for as long as they are kept', async () => {
    const { store, losing } = await stage();
    const steps = jobSteps;
    await losing({ steps, at: NOW - 20 * DAY });
    await losing({ steps, at: NOW - 3 * DAY, settlement: 'not-done' });
    await losing({ steps, settlement: 'undecidable', at: NOW - 40 * DAY });
    // Its repeat has nothing to do; the caller of the next one has the answer; the last one takes one call.
    await losing({ steps, settlement: 'done' });
    await store.writes.tell(await losing({ steps }));
    await losing({});
    const { unfinished } = await store.sealed.indexedBefore(NOW, terms);
    expect(unfinished).toEqual({ writes: 3, until: NOW + 27 * DAY, unsettled: 2 });
  });

  it('are no longer those that a repeat has continued', async () => {
    const { store, losing } = await stage();
    const repeats = await losing({ steps: jobSteps, settlement: 'not-done' });
    await losing({ repeats });
    const { unfinished } = await store.sealed.indexedBefore(NOW, terms);
    expect(unfinished).toEqual({ writes: 0, until: undefined, unsettled: 0 });
  });
});

describeOnBoth('the samples that only an older key can compare', (bench) => {
  it('are those of replies from before the change, until they expire', async () => {
    const store = await bench.store();
    const add = (purpose: string, at: number, expires: number): Promise<unknown> =>
      sqlOf(
        bench.url(),
        `insert into samples (id, account_id, purpose, method, content_sealed, bytes, at, expires_at)
         values ('${randomUUID()}', 'a', '${purpose}', 'client.get', 'k_12:x', 6, ${at}, ${expires})`,
      );
    await add('baseline', NOW - DAY, NOW + DAY);
    await add('recorded', NOW - DAY, NOW + HOUR);
    await add('capture', NOW - DAY, NOW + 2 * DAY);
    await add('baseline', NOW - DAY, NOW);
    await add('baseline', NOW + 2 * HOUR, NOW + 9 * DAY);
    const { samples } = await store.sealed.indexedBefore(NOW, terms);
    expect(samples).toEqual({ count: 2, last: NOW + DAY });
  });
});

describe('the list of sealed columns', () => {
  it('has every sealed column of every table', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-sealed-'));
    const path = join(folder, 'store.db');
    const store = await openStore(`sqlite:${path}`);
    await store.close();
    const database = new DatabaseSync(path, { readOnly: true });
    const columns = database
      .prepare(
        `select c.name from sqlite_schema t, pragma_table_info(t.name) c
         where t.type = 'table' and (c.name like '%sealed%' or c.name like '%\\_token' escape '\\')`,
      )
      .all();
    database.close();
    rmSync(folder, { recursive: true });
    expect(columns.length).toBe(store.sealed.places.length);
  });
});
