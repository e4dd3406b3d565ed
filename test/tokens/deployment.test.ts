import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { doubtOf, MarkUnwritable } from '../../src/tokens/deployment/deployment.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { samePlace, whereabouts } from '../../src/db/place.ts';
import { describeOnBoth } from '../db/engines.ts';
import { newAccount, newGrant, NOW } from '../db/records.ts';
import { sqlOf } from '../support/sql.ts';

let folder: string;
const stores: Store[] = [];

async function opened(url: string, file?: string): Promise<Store> {
  const store = await openStore(url, file);
  stores.push(store);
  return store;
}

const whyOf = async (store: Store): Promise<string | undefined> =>
  doubtOf(await store.deployment.look())?.why;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-deployment-'));
});

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describeOnBoth('the identity of a deployment', (bench) => {
  /** In the file of a fresh folder, as at a first start. */
  async function begun(): Promise<{ readonly store: Store; readonly file: string }> {
    await sqlOf(bench.url(), 'update deployment set marked_at = null, doubt = null, place = null').catch(
      () => undefined, // there is no database yet
    );
    const file = join(folder, 'mark');
    const store = await opened(bench.url(), file);
    await newGrant(store);
    expect(await whyOf(store)).toBeUndefined();
    await store.deployment.raise(NOW);
    expect(await whyOf(store)).toBeUndefined();
    return { store, file };
  }

  it('is created with the database, and written outside it at the first start', async () => {
    const { store, file } = await begun();
    const { id, epoch, outside } = await store.deployment.look();
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(outside).toEqual({ state: 'there', path: file, id, epoch });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ deployment: id, epoch });
  });

  it('has an epoch that only increases, whatever the clock does', async () => {
    const { store } = await begun();
    const { epoch } = await store.deployment.look();
    await store.deployment.raise(epoch + 60_000);
    expect((await store.deployment.look()).epoch).toBe(epoch + 60_000);
    await store.deployment.raise(5);
    expect((await store.deployment.look()).epoch).toBe(epoch + 60_001);
  });

  it('leaves out numbers that an older store may lack, when it is noticed and when it is acknowledged', async () => {
    const { store } = await begun();
    const numbered = async (account: string): Promise<number> => {
      const wanted = [{ kind: 'client', uuid: randomUUID() }];
      await store.crosswalk.markComplete(account, ['client']);
      return [...(await store.crosswalk.numbers(account, wanted)).values()][0] ?? 0;
    };
    const [account, second] = [randomUUID(), randomUUID()];
    const before = await numbered(account);
    await store.deployment.raise(NOW + 60_000);
    await sqlOf(bench.url(), 'update deployment set epoch = 1');
    await store.deployment.look();
    await store.deployment.doubt('older', NOW);
    await store.deployment.skipNumbers(NOW);
    const then = await numbered(account);
    expect(then).toBeGreaterThan(before + 1_000_000);
    await store.deployment.skipNumbers(NOW);
    expect(await numbered(account)).toBe(then + 1);
    expect(await numbered(second)).toBeGreaterThan(before + 1_000_000);
    await store.deployment.acknowledge(NOW);
    expect(await numbered(account)).toBeGreaterThan(then + 1_000_000);
  });

  it('is in doubt if the store is older than the file, in every process once one has seen it', async () => {
    const { store, file } = await begun();
    const other = await opened(bench.url(), join(folder, 'of another instance'));
    copyFileSync(file, join(folder, 'of another instance'));
    const { epoch } = await store.deployment.look();
    await store.deployment.raise(epoch + 60_000);
    await sqlOf(bench.url(), `update deployment set epoch = ${epoch}`);
    expect(await whyOf(store)).toBe('older');
    expect(await whyOf(other)).toBeUndefined();
    await store.deployment.doubt('older', NOW);
    expect(await whyOf(other)).toBe('older');

    await store.deployment.acknowledge(NOW);
    expect([await whyOf(store), await whyOf(other)]).toEqual([undefined, undefined]);
    expect((await store.deployment.look()).epoch).toBeGreaterThan(epoch + 60_000);
  });

  it('is not in doubt if another process has raised the epoch, which it adopts', async () => {
    const { store, file } = await begun();
    const mark = readFileSync(file, 'utf8');
    await store.deployment.raise(NOW + 120_000);
    writeFileSync(file, mark);
    expect(await whyOf(store)).toBeUndefined();
    await store.deployment.follow();
    const { epoch, outside } = await store.deployment.look();
    expect(outside).toMatchObject({ state: 'there', epoch });
  });

  it.each([
    [
      'missing',
      (file: string) => {
        rmSync(file);
      },
    ],
    [
      'foreign',
      (file: string) => {
        writeFileSync(file, '{"deployment":"another","epoch":1}');
      },
    ],
    [
      'unusable',
      (file: string) => {
        writeFileSync(file, 'half a f');
      },
    ],
  ])('is in doubt if the file is %s, until acknowledged', async (why, spoil) => {
    const { store, file } = await begun();
    spoil(file);
    // The server process that was in use is no copy, whatever became of the file.
    expect(await whyOf(store)).toBe(why === 'missing' && bench.engine === 'PostgreSQL' ? undefined : why);
    await store.deployment.acknowledge(NOW);
    expect(await whyOf(store)).toBeUndefined();
    const { id, outside } = await store.deployment.look();
    expect(outside).toMatchObject({ state: 'there', id });
  });

  it('is in doubt if the database is not where it was, as an earlier state if the file proves it', async () => {
    const { store, file } = await begun();
    const elsewhere = bench.engine === 'SQLite' ? 'file:1:2' : 'server 1 00000001 2 3 4 localhost:5432/other';
    await sqlOf(bench.url(), `update deployment set place = '${elsewhere}'`);
    expect(await whyOf(store)).toBe('copied');
    const { epoch } = await store.deployment.look();
    writeFileSync(file, JSON.stringify({ deployment: (await store.deployment.look()).id, epoch: epoch + 1 }));
    expect(await whyOf(store)).toBe('older');
    await store.deployment.acknowledge(NOW);
    expect(await whyOf(store)).toBeUndefined();
    const reopened = await opened(bench.url());
    expect(await whyOf(reopened)).toBeUndefined();
  });

  it('allows no refresh and no acknowledgement if the file cannot be written', async () => {
    const { store } = await begun();
    const nowhere = await opened(bench.url(), join(folder, 'mark', 'below a file'));
    await expect(nowhere.deployment.raise(NOW)).rejects.toThrow(MarkUnwritable);
    await store.deployment.doubt('restored', NOW);
    await expect(nowhere.deployment.acknowledge(NOW)).rejects.toThrow(MarkUnwritable);
    expect(await whyOf(store)).toBe('restored');
  });

  it('is in doubt for a new database beside another, until that is acknowledged', async () => {
    const beside = (name: string): Promise<Store> =>
      opened(`sqlite:${join(folder, name)}`, join(folder, `${name}.deployment`));
    await (await beside('causeway.db')).deployment.raise(NOW);
    const mistyped = await beside('causway.db');
    const doubt = doubtOf(await mistyped.deployment.look());
    expect(doubt?.why).toBe('vanished');
    expect(doubt?.words).toContain('causeway.db.deployment belongs to another');
    await mistyped.deployment.acknowledge(NOW);
    expect(await whyOf(mistyped)).toBeUndefined();
    const used = await beside('other.db');
    await used.accounts.add(newAccount());
    expect(await whyOf(used)).toBeUndefined();
  });

  describe('shared with a bridge on another database', () => {
    const second = (file: string): Promise<Store> => opened(`sqlite:${join(folder, 'second.db')}`, file);
    const wordsIn = async (store: Store): Promise<string> =>
      doubtOf(await store.deployment.look())?.words ?? '';
    const grantsOf = async (store: Store): Promise<number> => (await store.grants.list()).length;

    it('is not in doubt for the bridge that has the file, and the other is told what to do', async () => {
      const { store, file } = await begun();
      const other = await second(file);
      expect(await whyOf(other)).toBe('vanished');
      expect(await wordsIn(other)).toContain('CAUSEWAY_DEPLOYMENT_FILE of its own');
      await newGrant(other);
      expect(await whyOf(other)).toBe('foreign');
      expect(await wordsIn(other)).toContain('CAUSEWAY_DEPLOYMENT_FILE of its own');
      expect(await whyOf(store)).toBeUndefined();
    });

    it('is not in doubt for the last of two that started together, and no grant is lost', async () => {
      const { store, file } = await begun();
      rmSync(file);
      const other = await second(file);
      await newGrant(other);
      const before = [await grantsOf(store), await grantsOf(other)];
      await Promise.all([store.deployment.raise(NOW), other.deployment.raise(NOW)]);
      const whys = [await whyOf(store), await whyOf(other)];
      expect(whys.toSorted()).toEqual(['foreign', undefined]);
      expect([await grantsOf(store), await grantsOf(other)]).toEqual(before);
    });

    it('is resolved once each has its own file', async () => {
      const { store, file } = await begun();
      await newGrant(await second(file));
      const apart = await second(join(folder, 'of the second'));
      await apart.deployment.acknowledge(NOW);
      expect([await whyOf(store), await whyOf(apart)]).toEqual([undefined, undefined]);
      await apart.deployment.raise(NOW + 120_000);
      await store.deployment.raise(NOW + 120_000);
      expect([await whyOf(store), await whyOf(apart)]).toEqual([undefined, undefined]);
    });
  });

  it('is unchanged after a check without doubt, whatever this process raises', async () => {
    const { store } = await begun();
    await store.deployment.look();
    expect(await store.deployment.isUnchanged()).toBe(true);
    await store.deployment.raise(NOW + 120_000);
    expect(await store.deployment.isUnchanged()).toBe(true);
    const fresh = await opened(bench.url(), join(folder, 'mark'));
    expect(await fresh.deployment.isUnchanged()).toBe(false);
  });

  it.each([
    ['another process writes a doubt', "update deployment set doubt = 'restored', doubted_at = 1"],
    ['an older state comes back', 'update deployment set epoch = epoch - 1'],
    ['the row says that it lay elsewhere', "update deployment set place = 'file:1:2'"],
    ['another deployment takes its place', "update deployment set id = 'another'"],
    ['a grant is withheld', 'update grants set withheld_fence = 9'],
    ['the last grant is lost', "update grants set state = 'lost'"],
  ])('has changed if %s', async (_what, statement) => {
    const { store } = await begun();
    await sqlOf(bench.url(), 'update grants set withheld_fence = null');
    await store.deployment.look();
    await store.deployment.raise(NOW + 120_000);
    expect(await store.deployment.isUnchanged()).toBe(true);
    await sqlOf(bench.url(), statement);
    expect(await store.deployment.isUnchanged()).toBe(false);
  });

  it.each(['{"deployment":"another","epoch":1}', 'half a f', undefined])(
    'has changed if its file contains %j',
    async (text) => {
      const { store, file } = await begun();
      expect(await store.deployment.isUnchanged()).toBe(true);
      if (text === undefined) rmSync(file);
      else writeFileSync(file, text);
      expect(await store.deployment.isUnchanged()).toBe(false);
    },
  );

  it('needs no file if none is configured', async () => {
    const store = await opened(bench.url());
    await sqlOf(bench.url(), 'update deployment set doubt = null');
    expect(await whyOf(store)).toBeUndefined();
    await store.deployment.raise(NOW);
    expect((await store.deployment.look()).outside).toEqual({ state: 'none' });
  });
});

describe('the location of a database on a server', () => {
  const was = 'server 7 00000001 5 16385 1000 db:5432/causeway';
  it.each([
    ['the very server process', was, 'running'],
    ['the same one under another address', 'server 7 00000001 5 16385 1000 proxy:6432/causeway', 'running'],
    ['one that tells less', 'server   5 16385 1000 db:5432/causeway', 'running'],
    ['a server that was started anew', 'server 7 00000001 5 16385 2000 db:5432/causeway', 'restarted'],
    ['a physical copy beside it', 'server 7 00000001 5 16385 2000 db:5433/causeway', 'moved'],
    ['a standby that was promoted', 'server 7 00000002 5 16385 900 db:5432/causeway', 'moved'],
    ['another server', 'server 8 00000001 5 16385 1000 db:5432/causeway', 'moved'],
    ['another database', 'server 7 00000001 6 16385 1000 db:5432/other', 'moved'],
    ['a dump that was put in its place', 'server 7 00000001 5 16999 1000 db:5432/causeway', 'moved'],
    ['a file', 'file:1:2', 'moved'],
    ['nowhere that can be told', undefined, 'unknown'],
  ])('is recognised for %s, at %j, as %s', (_which, found, expected) => {
    expect(whereabouts(was, found)).toBe(expected);
    expect(whereabouts(null, found)).toBe('unknown');
  });
});

describe('the identity of a database file', () => {
  it('differs for a copy, and is the same after a restart, a chmod and a move', async () => {
    const path = join(folder, 'one.db');
    const first = await opened(`sqlite:${path}`);
    await newGrant(first);
    await first.deployment.raise(NOW);
    await stores.pop()?.close();
    copyFileSync(path, join(folder, 'two.db'));
    chmodSync(path, 0o600);
    expect(await whyOf(await opened(`sqlite:${path}`))).toBeUndefined();
    expect(await whyOf(await opened(`sqlite:${join(folder, 'two.db')}`))).toBe('copied');
  });

  it('is its creation time if available, otherwise its inode', () => {
    expect(samePlace('file:1:100', 'file:2:100')).toBe(true);
    expect(samePlace('file:1:100', 'file:1:200')).toBe(false);
    expect(samePlace('file:1:', 'file:1:200')).toBe(true);
    expect(samePlace('file:1:', 'file:2:')).toBe(false);
  });

  it('does not exist for a database in memory', async () => {
    const store = await opened('sqlite::memory:');
    await newGrant(store);
    await store.deployment.raise(NOW);
    expect(await whyOf(store)).toBeUndefined();
  });
});
