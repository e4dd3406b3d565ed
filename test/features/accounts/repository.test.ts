import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import {
  IllegalTransition,
  close,
  consent,
  lose,
  migrate,
  type StageName,
} from '../../../src/features/accounts/account.ts';
import {
  AmbiguousName,
  DuplicateAccount,
  MOST_PINNED,
  OrganisationTaken,
  UnknownAccount,
} from '../../../src/features/accounts/model.ts';
import { postgresEngine } from '../../../src/db/postgres/postgres-engine.ts';
import { sqliteEngine } from '../../../src/db/sqlite/sqlite.ts';
import type { Engine } from '../../../src/db/engine.ts';
import { describeOnBoth, either } from '../../db/engines.ts';
import { NOW, bindingTo, callRecord, event, newAccount } from '../../db/records.ts';

/** The tables themselves, below the repositories. */
const engineAt = async (url: string): Promise<Engine> =>
  url.startsWith('sqlite:') ? sqliteEngine(url.slice('sqlite:'.length)) : postgresEngine(url);

describeOnBoth('the repository of accounts', (bench) => {
  it('returns what was stored', async () => {
    const store = await bench.store();
    const wanted = newAccount({
      product: 'practice',
      application: 'default',
      origin: 'discovered',
      name: 'Größe & Søn 商店 🚢',
    });
    const account = await store.accounts.add(wanted);
    expect(account).toEqual({
      id: wanted.id,
      name: 'Größe & Søn 商店 🚢',
      product: 'practice',
      application: 'default',
      origin: 'discovered',
      createdAt: NOW,
      stageSince: NOW,
      lastCallAt: undefined,
      life: { stage: 'legacy' },
    });
    expect(await store.accounts.byId(wanted.id)).toEqual(account);
    expect(await store.accounts.list()).toContainEqual(account);
    expect(await store.accounts.byId('nobody')).toBeUndefined();
  });

  it('finds a key by any of its possible hashes', async () => {
    const store = await bench.store();
    const plain = newAccount();
    const guarded = newAccount({ apiKeyIndex: 'api index', apiKeySealed: 'api sealed' });
    for (const account of [plain, guarded]) await store.accounts.add(account);
    const found = await store.accounts.byKeyIndex(['by a newer key', plain.accountKeyIndex]);
    expect(found).toMatchObject({ account: { id: plain.id }, apiKeyIndex: undefined });
    expect(await store.accounts.byKeyIndex([guarded.accountKeyIndex])).toMatchObject({
      apiKeyIndex: 'api index',
    });
    expect(await store.accounts.byKeyIndex(['unknown'])).toBeUndefined();
    expect(await store.accounts.byKeyIndex([])).toBeUndefined();
  });

  it('returns the current row for a key, whoever wrote it last', async () => {
    const stores = await bench.twoStores();
    const wanted = newAccount();
    const found = async (turn: number) =>
      (await either(stores, turn).accounts.byKeyIndex([wanted.accountKeyIndex]))?.account.life.stage;
    const asked = async () => [await found(0), await found(1), await found(0)];

    expect(await asked()).toEqual([undefined, undefined, undefined]);
    await stores[1].accounts.add(wanted);
    expect(await asked()).toEqual(['legacy', 'legacy', 'legacy']);
    await stores[0].accounts.change(wanted.id, (life) => consent(life, bindingTo('grant')), event('consent'));
    expect(await asked()).toEqual(['consented', 'consented', 'consented']);
    await stores[1].accounts.change(wanted.id, migrate, event('migrate'));
    expect(await asked()).toEqual(['migrated', 'migrated', 'migrated']);
    await expect(stores[0].accounts.change(wanted.id, migrate, event('again'))).rejects.toThrow();
    await stores[0].accounts.change(wanted.id, close, event('close'));
    expect(await asked()).toEqual(['closed', 'closed', 'closed']);
  });

  it('finds by id before name, and does not choose between two accounts of one name', async () => {
    const store = await bench.store();
    const first = await store.accounts.add(newAccount());
    const second = await store.accounts.add(newAccount({ name: first.id }));
    expect((await store.accounts.find(first.id))?.id).toBe(first.id);
    expect((await store.accounts.find(first.name))?.id).toBe(first.id);
    expect(await store.accounts.find('no such name')).toBeUndefined();
    await store.accounts.add(newAccount({ name: 'Twins' }));
    expect((await store.accounts.find('Twins'))?.name).toBe('Twins');
    await store.accounts.add(newAccount({ name: 'Twins' }));
    await expect(store.accounts.find('Twins')).rejects.toThrow(AmbiguousName);
    expect((await store.accounts.find(second.id))?.name).toBe(first.id);
  });

  it('refuses a second account with the same key or id, and leaves no trace of it', async () => {
    const store = await bench.store();
    const first = newAccount();
    await store.accounts.add(first);
    const sameKey = newAccount({ accountKeyIndex: first.accountKeyIndex });
    await expect(store.accounts.add(sameKey)).rejects.toThrow(new DuplicateAccount('account key'));
    await expect(store.accounts.add(newAccount({ id: first.id }))).rejects.toThrow(
      new DuplicateAccount('id'),
    );
    expect(await store.accounts.byId(sameKey.id)).toBeUndefined();
    expect(await store.accounts.timeline(first.id)).toHaveLength(1);
  });

  it('lets one of many discover the same key at the same time', async () => {
    const stores = await bench.twoStores();
    const accountKeyIndex = newAccount().accountKeyIndex;
    const attempts = Array.from({ length: 10 }, (_, n) =>
      either(stores, n).accounts.add(newAccount({ accountKeyIndex })),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DuplicateAccount);
  });

  it('keeps the sealed keys, with the configured API key before those that V1 has accepted', async () => {
    const store = await bench.store();
    const plain = newAccount();
    const guarded = newAccount({ apiKeyIndex: 'i', apiKeySealed: 'api sealed' });
    for (const account of [plain, guarded]) await store.accounts.add(account);
    expect(await store.accounts.sealedKeys(plain.id)).toEqual({
      accountKey: plain.accountKeySealed,
      apiKey: undefined,
      apiKeyDemanded: false,
    });
    const pin = (n: number) => ({ id: randomUUID(), indexes: [`i${n}`], sealed: `seen ${n}`, at: n });
    for (const { id } of [plain, guarded]) for (const n of [2, 1]) await store.accounts.pinApiKey(id, pin(n));
    expect(await store.accounts.sealedKeys(plain.id)).toMatchObject({
      apiKey: { owner: expect.any(String), sealed: 'seen 2' },
      apiKeyDemanded: false,
    });
    expect(await store.accounts.sealedKeys(guarded.id)).toMatchObject({
      apiKey: { owner: guarded.id, sealed: 'api sealed' },
      apiKeyDemanded: true,
    });
    expect(await store.accounts.sealedKeys('nobody')).toBeUndefined();
  });

  it('finds an account by every API key that V1 has accepted, once each, under any encryption key', async () => {
    const store = await bench.store();
    const account = newAccount();
    await store.accounts.add(account);
    const pinned = async (): Promise<readonly string[]> =>
      [...((await store.accounts.byKeyIndex([account.accountKeyIndex]))?.pinned ?? [])].sort();
    expect(await pinned()).toEqual([]);
    const pin = (indexes: readonly string[], at: number) =>
      store.accounts.pinApiKey(account.id, { id: randomUUID(), indexes, sealed: `sealed ${at}`, at });
    await pin(['a'], 1);
    await pin(['b'], 2);
    expect(await pinned()).toEqual(['a', 'b']);
    // Sealed under a newer key since, not yet rewritten.
    await pin(['a of the newer key', 'a'], 3);
    expect(await pinned()).toEqual(['a', 'b']);
    expect(await store.accounts.sealedKeys(account.id)).toMatchObject({ apiKey: { sealed: 'sealed 1' } });
  });

  it('limits the API keys of an account: the one not seen for longest is dropped', async () => {
    const store = await bench.store();
    const account = newAccount();
    await store.accounts.add(account);
    const pin = (n: number, at: number) =>
      store.accounts.pinApiKey(account.id, { id: randomUUID(), indexes: [`i${n}`], sealed: '', at });
    for (let n = 0; n < MOST_PINNED; n += 1) await pin(n, n);
    await pin(0, 100);
    await pin(MOST_PINNED, 101);
    const pinned = (await store.accounts.byKeyIndex([account.accountKeyIndex]))?.pinned;
    expect(pinned).toHaveLength(MOST_PINNED);
    expect(pinned).toContain('i0');
    expect(pinned).not.toContain('i1');
  });

  it("records each step of an account's life with its time and its event", async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount({ name: 'Old Mill' }));
    const binding = bindingTo('grant');
    const step = store.accounts.change.bind(store.accounts, id);
    const lives = [
      await step((life) => consent(life, binding), event('consented', NOW + 1)),
      await step(migrate, event('migrated', NOW + 2)),
      await step((life) => consent(life, binding), event('consented', NOW + 3)),
      await step((life) => lose(life, 'expired'), event('lost', NOW + 4)),
      await step((life) => consent(life, binding), event('consented', NOW + 5)),
      await step(close, event('closed', NOW + 6)),
    ];
    expect(lives.map(({ life, stageSince }) => [life.stage, stageSince - NOW])).toEqual([
      ['consented', 1],
      ['migrated', 2],
      ['migrated', 2],
      ['lost', 4],
      ['migrated', 5],
      ['closed', 6],
    ]);
    expect(lives[0]?.life).toEqual({ stage: 'consented', binding });
    expect(lives[3]?.life).toEqual({ stage: 'lost', binding, reason: 'expired' });
    expect(await store.accounts.byId(id)).toEqual(lives[5]);
    expect((await store.accounts.timeline(id)).map(({ kind }) => kind)).toEqual([
      'added',
      'consented',
      'migrated',
      'consented',
      'lost',
      'consented',
      'closed',
    ]);
  });

  it('checks a transition against the stored stage', async () => {
    const [store, other] = [await bench.store(), await bench.store()];
    const { id } = await store.accounts.add(newAccount());
    await other.accounts.change(id, close, event('closed'));
    const late = store.accounts.change(id, (life) => consent(life, bindingTo('grant')), event('consented'));
    await expect(late).rejects.toThrow(IllegalTransition);
    expect((await store.accounts.timeline(id)).map(({ kind }) => kind)).toEqual(['added', 'closed']);
  });

  it('makes a transition once, however many ask for it', async () => {
    const stores = await bench.twoStores();
    const { id } = await stores[0].accounts.add(newAccount());
    await stores[0].accounts.change(id, (life) => consent(life, bindingTo('grant')), event('consented'));
    const attempts = Array.from({ length: 10 }, (_, n) =>
      either(stores, n).accounts.change(id, migrate, event('migrated')),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await stores[1].accounts.timeline(id)).toHaveLength(3);
  });

  it('binds an organisation to one account only, until that one is closed', async () => {
    const store = await bench.store();
    const [first, second] = [newAccount(), newAccount()];
    for (const account of [first, second]) await store.accounts.add(account);
    const binding = bindingTo('grant');
    const bind = (id: string) =>
      store.accounts.change(id, (life) => consent(life, binding), event('consented'));
    await bind(first.id);
    await expect(bind(second.id)).rejects.toThrow(new OrganisationTaken('Harbour Lane Studio'));
    expect((await store.accounts.byId(second.id))?.life).toEqual({ stage: 'legacy' });
    expect(await store.accounts.timeline(second.id)).toHaveLength(1);
    expect((await store.accounts.byOrganisation(binding.organisation.id, 'default'))?.id).toBe(first.id);
    await store.accounts.change(first.id, close, event('closed'));
    expect(await store.accounts.byOrganisation(binding.organisation.id, 'default')).toBeUndefined();
    expect((await bind(second.id)).life.stage).toBe('consented');
  });

  it('binds an organisation once for each OAuth application', async () => {
    const store = await bench.store();
    const [first, second] = [newAccount(), newAccount()];
    for (const account of [first, second]) await store.accounts.add(account);
    const binding = bindingTo('grant');
    const bind = (id: string) =>
      store.accounts.change(id, (life) => consent(life, binding), event('consented'));
    await bind(first.id);
    const { db } = await engineAt(bench.url());
    await db.updateTable('accounts').set({ application_id: 'other' }).where('id', '=', second.id).execute();
    await db.destroy();
    expect((await bind(second.id)).life.stage).toBe('consented');
    expect((await store.accounts.byOrganisation(binding.organisation.id, 'default'))?.id).toBe(first.id);
  });

  it('keeps the organisation of an account that lost its grant', async () => {
    const store = await bench.store();
    const [first, second] = [newAccount(), newAccount()];
    for (const account of [first, second]) await store.accounts.add(account);
    const binding = bindingTo('grant');
    await store.accounts.change(first.id, (life) => consent(life, binding), event('consented'));
    await store.accounts.change(first.id, migrate, event('migrated'));
    await store.accounts.change(first.id, (life) => lose(life, 'revoked'), event('lost'));
    const attempt = store.accounts.change(second.id, (life) => consent(life, binding), event('consented'));
    await expect(attempt).rejects.toThrow(OrganisationTaken);
  });

  it('binds an organisation once if two processes try at the same moment', async () => {
    const stores = await bench.twoStores();
    const binding = bindingTo('grant');
    const accounts = Array.from({ length: 8 }, () => newAccount());
    for (const account of accounts) await stores[0].accounts.add(account);
    const attempts = accounts.map(({ id }, n) =>
      either(stores, n).accounts.change(id, (life) => consent(life, binding), event('consented')),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(OrganisationTaken);
  });

  it('lists only the accounts of given stages', async () => {
    const store = await bench.store();
    const [first, second, third] = [newAccount(), newAccount(), newAccount()];
    for (const account of [first, second, third]) await store.accounts.add(account);
    await store.accounts.change(second.id, (life) => consent(life, bindingTo('grant')), event('consent'));
    await store.accounts.change(third.id, close, event('close'));
    const ids = async (...stages: StageName[]) => (await store.accounts.list(stages)).map(({ id }) => id);
    const some = await ids('legacy', 'closed');
    expect(some).toEqual(expect.arrayContaining([first.id, third.id]));
    expect(some).not.toContain(second.id);
    const consented = await ids('consented');
    expect(consented).toContain(second.id);
    expect(consented).not.toContain(first.id);
    expect(await ids()).toEqual([]);
  });

  it('lists the accounts of a grant', async () => {
    const store = await bench.store();
    const grantId = newAccount().id;
    const accounts = [newAccount(), newAccount({ now: NOW + 1 }), newAccount()];
    for (const account of accounts) await store.accounts.add(account);
    for (const account of accounts.slice(0, 2))
      await store.accounts.change(
        account.id,
        (life) => consent(life, bindingTo(grantId)),
        event('consented'),
      );
    const bound = await store.accounts.byGrant(grantId);
    expect(bound.map(({ id }) => id)).toEqual(accounts.slice(0, 2).map(({ id }) => id));
  });

  it('records events without a change of stage, in order', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    await Promise.all([1, 2, 3, 4, 5].map((n) => store.accounts.note(id, event(`note ${n}`))));
    expect(await store.accounts.timeline(id)).toHaveLength(6);
    expect(await store.accounts.timeline(id)).toContainEqual(event('note 3'));
  });

  it('says so if there is no such account', async () => {
    const store = await bench.store();
    await expect(store.accounts.note('nobody', event('note'))).rejects.toThrow(UnknownAccount);
    await expect(store.accounts.change('nobody', close, event('closed'))).rejects.toThrow(UnknownAccount);
  });

  it('has the latest of the recorded calls once they are written', async () => {
    const store = await bench.store();
    const other = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    for (const at of [NOW + 5, NOW + 9, NOW + 7]) store.calls.record(callRecord(id, { at }));
    expect((await other.accounts.byId(id))?.lastCallAt).toBeUndefined();
    await store.close();
    expect((await other.accounts.byId(id))?.lastCallAt).toBe(NOW + 9);
  });

  it('does not reset the last call for a process that saw an earlier one', async () => {
    const [first, second] = [await bench.store(), await bench.store()];
    const { id } = await first.accounts.add(newAccount());
    first.calls.record(callRecord(id, { at: NOW + 9 }));
    second.calls.record(callRecord(id, { at: NOW + 2 }));
    await first.close();
    await second.close();
    const reader = await bench.store();
    expect((await reader.accounts.byId(id))?.lastCallAt).toBe(NOW + 9);
  });
});
