import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openEngine } from '../../../src/app/migration.ts';
import type { Store } from '../../../src/app/store.ts';
import { accountTables } from '../../../src/features/backup/forget-account.ts';
import { close, consent, migrate } from '../../../src/features/accounts/account.ts';
import { describeOn, describeOnBoth } from '../../db/engines.ts';
import { eventually } from '../../support/clock.ts';
import { anna, bindingTo, callRecord, event, newAccount, newGrant, NOW, pair } from '../../db/records.ts';

/** An account with a row in most tables. */
async function settled(store: Store): Promise<string> {
  const { id } = await store.accounts.add(newAccount());
  const grant = await newGrant(store);
  await store.accounts.change(id, (life) => consent(life, bindingTo(grant.id)), event('consented'));
  await store.accounts.change(id, migrate, event('migrated'));
  await store.crosswalk.learn(id, [{ kind: 'client', number: 1, uuid: randomUUID() }]);
  await store.crosswalk.markComplete(id, ['client']);
  store.calls.record(callRecord(id));
  await store.calls.flush();
  await store.samples.switch(id, false);
  await store.audit.write({
    at: NOW,
    who: 'Kim',
    action: 'usage.name',
    accountIds: [id],
    detail: 'p: Payroll of Ann',
  });
  return id;
}

/** The numbers that follow a text anywhere in a database file and its log; none of a server. */
function textsIn(url: string, text: string): readonly number[] {
  if (!url.startsWith('sqlite:')) return [];
  const file = url.slice('sqlite:'.length);
  const bytes = [file, `${file}-wal`].map((one) => readFileSync(one, 'latin1')).join('\n');
  return [...bytes.matchAll(new RegExp(`${text}(\\d+)`, 'g'))].map(([, number]) => Number(number));
}

describeOnBoth('a closed account', (bench) => {
  it('is erased once its tokens are revoked: no table has a row of it, and the audit no details', async () => {
    const store = await bench.store();
    const id = await settled(store);
    expect(await store.forget(id)).toMatchObject({
      outcome: 'refused',
      words: expect.stringContaining('close it'),
    });
    await store.accounts.change(id, close, event('closed'));
    const [waiting] = await store.awaiting.revocations(NOW);
    expect(await store.forget(id)).toMatchObject({
      outcome: 'refused',
      words: expect.stringContaining('tokens'),
    });
    await store.awaiting.strike(waiting?.grantId ?? '');
    expect(await store.forget(id)).toMatchObject({ outcome: 'forgotten' });
    expect(await store.accounts.byId(id)).toBeUndefined();
    const engine = await openEngine(bench.url());
    try {
      for (const { name, columns } of await engine.db.introspection.getTables()) {
        if (!columns.some((column) => column.name === 'account_id')) continue;
        const rows = await engine.db
          .selectFrom(name as (typeof accountTables)[number])
          .select('account_id')
          .where('account_id', '=', id)
          .execute();
        expect([name, rows.length]).toEqual([name, 0]);
      }
      const audit = await engine.db
        .selectFrom('audit')
        .selectAll()
        .where('account_ids', '=', JSON.stringify([id]))
        .execute();
      expect(audit.map(({ action, detail }) => [action, detail])).toEqual([['usage.name', '']]);
      // A process had more of it in memory.
      await engine.db
        .insertInto('sample_accounts')
        .values({ account_id: id, off: 0, forgotten_at: null })
        .execute();
      expect(await store.forgetStrays()).toBe(1);
    } finally {
      await engine.db.destroy();
    }
  });

  it('is not erased while the tokens of a consent or an import of it still have to be revoked', async () => {
    const store = await bench.store();
    const { id: accountId } = await store.accounts.add(newAccount());
    await store.accounts.change(accountId, close, event('closed'));
    const refused = {
      outcome: 'refused',
      words: expect.stringContaining('unfinished consent or import'),
    };
    const [choice, grantId, imported] = [randomUUID(), randomUUID(), randomUUID()];
    await store.choices.hold(
      {
        ...{ id: grantId, application: 'default', consenter: anna },
        ...{ scope: 'service', tokens: pair(1), now: NOW },
      },
      {
        ...{ id: choice, invitationId: randomUUID(), accountId, keyIndex: choice, browserIndex: choice },
        ...{ grantId, organisations: [], companions: [], startedAt: NOW, expiresAt: NOW + 1 },
      },
    );
    expect(await store.forget(accountId)).toEqual(refused);
    await store.choices.drop(choice);
    const engine = await openEngine(bench.url());
    try {
      await engine.db
        .insertInto('grant_imports')
        .values({
          ...{ id: imported, account_id: accountId, token_index: imported, state: 'waiting', reason: null },
          ...{ given: null, organisations: '[]', who: 'Kim', started_at: NOW, since: NOW },
        })
        .execute();
      expect(await store.forget(accountId)).toEqual(refused);
      await engine.db
        .updateTable('grant_imports')
        .set({ state: 'refused' })
        .where('id', '=', imported)
        .execute();
    } finally {
      await engine.db.destroy();
    }
    expect(await store.forget(accountId)).toMatchObject({ outcome: 'forgotten' });
  });

  it('leaves nothing of it in the pages of the database file', async () => {
    const store = await bench.store();
    const word = (n: number): string => `Erased Studio ${n}`;
    const ids: string[] = [];
    // Enough rows for the pages of each table to be divided, and to be given back.
    for (let n = 0; n < 60; n += 1) {
      const { id } = await store.accounts.add(newAccount({ name: `${word(n)} ${'x'.repeat(200)}` }));
      await store.accounts.change(id, close, { ...event('closed'), detail: `${word(n)} ${'y'.repeat(200)}` });
      ids.push(id);
    }
    for (const id of ids.slice(0, 29)) expect(await store.forget(id)).toMatchObject({ outcome: 'forgotten' });
    const reader =
      bench.engine === 'SQLite' ? new DatabaseSync(bench.url().slice('sqlite:'.length)) : undefined;
    reader?.exec('begin; select count(*) from accounts');
    // The reader keeps the pages as they were in the log until it ends. One is enough: an erasure waits for it for seconds.
    const last = store.forget(ids[29] ?? '');
    await eventually('it is erased', async () =>
      (await store.accounts.byId(ids[29] ?? '')) === undefined ? true : undefined,
    );
    reader?.close();
    expect(await last).toMatchObject({ outcome: 'forgotten' });
    const left = textsIn(bench.url(), 'Erased Studio ');
    expect(left.filter((n) => n < 30)).toEqual([]);
    // PostgreSQL's files are the server's.
    if (bench.engine === 'SQLite') expect(left).toContain(45);
  });

  it('leaves a hash of its account key when it is erased, until an account with that key is added again', async () => {
    const store = await bench.store();
    const account = newAccount();
    const indexes = ['by a newer key', account.accountKeyIndex];
    await store.accounts.add(account);
    await store.accounts.change(account.id, close, event('closed'));
    expect(await store.accounts.wasErased(indexes)).toBe(false);
    await store.forget(account.id);
    expect(await store.accounts.wasErased(indexes)).toBe(true);
    await store.accounts.add({ ...account, id: randomUUID() });
    expect(await store.accounts.wasErased(indexes)).toBe(false);
  });

  it('has every table with rows of accounts on its list of what is erased', async () => {
    await bench.store();
    const engine = await openEngine(bench.url());
    try {
      const tables = await engine.db.introspection.getTables();
      const owned = tables.flatMap(({ name, columns }) =>
        columns.some((column) => column.name === 'account_id') ? [name] : [],
      );
      expect(owned.toSorted()).toEqual([...accountTables].toSorted());
    } finally {
      await engine.db.destroy();
    }
  });
});

describeOn('SQLite', 'an account that is not erased', (bench) => {
  it('leaves the log of the database as it is', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const logged = (): number => statSync(`${bench.url().slice('sqlite:'.length)}-wal`).size;
    const before = logged();
    expect(before).toBeGreaterThan(0);
    for (const one of [id, randomUUID()])
      expect(await store.forget(one)).toMatchObject({ outcome: 'refused' });
    expect(logged()).toBe(before);
  });
});

describeOnBoth('an erased account', (bench) => {
  it('keeps nothing of a pass over its V1 lists that ends after it was erased, and other accounts keep theirs', async () => {
    const store = await bench.store();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await store.accounts.add(newAccount())).id);
    const erased = ids.filter((_, n) => n % 2 === 1);
    for (const id of erased) {
      await store.accounts.change(id, close, event('closed'));
      expect(await store.forget(id)).toMatchObject({ outcome: 'forgotten' });
    }
    for (const id of ids) {
      await store.crosswalk.learn(id, [
        { kind: 'client', number: 1, uuid: randomUUID() },
        { kind: 'job', number: 1, uuid: randomUUID() },
      ]);
      await store.crosswalk.markComplete(id, ['client']);
    }
    expect(await store.forgetStrays()).toBe(8);
    for (const id of ids) expect(await store.crosswalk.report(id)).toHaveLength(erased.includes(id) ? 0 : 2);
    expect(await store.forgetStrays()).toBe(0);
  });

  it('keeps nothing of calls that were in progress while it was erased once these have ended', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const { id: kept } = await store.accounts.add(newAccount());
    await store.accounts.change(id, close, event('closed'));
    expect(await store.forget(id)).toMatchObject({ outcome: 'forgotten' });
    for (const accountId of [id, kept]) {
      const list = { head: 'head', pieces: new Map([[0, 'a']]), count: 1, bytes: 10, now: NOW };
      await store.replicas.put({ id: `of ${accountId}`, accountId, ...list }, undefined);
      await store.forecasts.store(accountId, NOW, undefined);
      const write = {
        method: 'client.add',
        route: 'v3',
        fingerprints: [accountId],
        idempotency: [],
        length: 1,
      };
      await store.writes.enter(
        {
          ...write,
          id: randomUUID(),
          accountId,
          owner: 'process-1',
          factsSealed: 'sealed',
          kind: 'client',
          now: NOW,
        },
        { untoldSince: NOW, keyedSince: NOW, besides: [] },
      );
    }
    // A list, a forecast, and the mark of a write.
    expect(await store.forgetStrays()).toBe(3);
    const engine = await openEngine(bench.url());
    try {
      const left = async (table: 'replicas' | 'replica_pieces' | 'forecasts' | 'writes'): Promise<number> =>
        (await engine.db.selectFrom(table).selectAll().execute()).length;
      expect([await left('replicas'), await left('replica_pieces'), await left('forecasts')]).toEqual([
        1, 1, 1,
      ]);
      // One of them is in progress.
      expect(await left('writes')).toBe(2);
      await engine.db.updateTable('writes').set({ state: 'unknown' }).execute();
      expect(await store.forgetStrays()).toBe(1);
      const writes = await engine.db.selectFrom('writes').select('account_id').execute();
      expect(writes).toEqual([{ account_id: kept }]);
    } finally {
      await engine.db.destroy();
    }
  });
});
