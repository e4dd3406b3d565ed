import { createHmac } from 'node:crypto';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStore } from '../../src/app/store.ts';
import { CACHED_TABLES, CONCERNS_ACCOUNTS } from '../../src/db/sqlite/own-changes.ts';
import { nextTurn } from '../../src/lib/time/turn.ts';
import { newGrant } from '../db/records.ts';
import { ask, closeWorlds, ok, pair, uuid, world, type World } from './world.ts';

/** Counts what a call asks of the database: statements, not the clock. */

const CLIENT = uuid('c1', 1);
/** Reads a number out of memory that processes share: how the directory learns that others have written. */
const VERSION = 'PRAGMA data_version';
const performing = ['run', 'get', 'all', 'iterate'] as const;
const originals = performing.map(
  (name) => [name, Reflect.get(StatementSync.prototype, name) as (...given: never[]) => unknown] as const,
);
const statements: string[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-statements-'));
  for (const [name, original] of originals)
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...given: readonly never[]): unknown {
        statements.push(this.sourceSQL);
        return Reflect.apply(original, this, given);
      },
    });
});
afterEach(async () => {
  await closeWorlds();
  for (const [name, original] of originals) Object.assign(StatementSync.prototype, { [name]: original });
  rmSync(folder, { recursive: true });
});

/** `select accounts`, in their order; a look at the version of the database is not one. */
async function during(work: () => Promise<unknown>): Promise<readonly string[]> {
  statements.length = 0;
  await work();
  return statements.filter((sql) => sql !== VERSION).map(wordsOf);
}

function wordsOf(sql: string): string {
  const [verb = ''] = /^\s*[a-z]+/i.exec(sql.trim()) ?? [];
  const table = verb.toLowerCase() === 'select' ? /.*\bfrom\s+"?(\w+)/is : /^\w+(?: into| from)?\s+"?(\w+)/i;
  const [, name = ''] = table.exec(sql.trim()) ?? [];
  return `${verb.toLowerCase()} ${name === 'immediate' ? '' : name}`.trim();
}

const moved = (isShared = true): Promise<World> =>
  world({
    ...(isShared && { sparing: {} }),
    url: `sqlite:${join(folder, 'store.db')}`,
    ledger: true,
    pairs: [pair('client', 7, CLIENT)],
    complete: ['client'],
    v3: ({ verb, segments }, count) => {
      const id = segments[1] === 'add' ? uuid('c2', count) : CLIENT;
      return verb === 'DELETE' ? ok() : ok(`<Client><UUID>${id}</UUID><Name>n</Name></Client>`);
    },
  });

const read = (all: World): Promise<string> => ask(all, 'GET client.api/get/7');
let calls = 0;
const write = (all: World, line: string, body: string): Promise<string> =>
  ask(all, line, { body, requestId: `write ${String((calls += 1))}` });
const change = (all: World): Promise<string> =>
  write(all, 'PUT client.api/update', `<Client><ID>7</ID><Name>m${calls}</Name></Client>`);
const add = (all: World): Promise<string> =>
  write(all, 'POST client.api/add', `<Client><Name>n${calls}</Name></Client>`);

/** How many keyed hashes are made meanwhile. */
async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  const hmac = Object.getPrototypeOf(createHmac('sha256', '')) as object;
  const original = Object.getOwnPropertyDescriptor(hmac, 'digest') ?? {};
  let count = 0;
  Object.defineProperty(hmac, 'digest', {
    ...original,
    value(this: object, ...given: readonly never[]): unknown {
      count += 1;
      return Reflect.apply(original.value as () => unknown, this, given);
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(hmac, 'digest', original);
  }
  return count;
}

/** As another process writes; seen in the next turn of the event loop. */
async function elsewhere(statement: string): Promise<void> {
  const other = new DatabaseSync(join(folder, 'store.db'));
  other.exec(statement);
  other.close();
  await nextTurn();
}

describe('the database queries of a warm call', () => {
  it('are none for a read, except whether another process has written', async () => {
    const all = await moved();
    await read(all);
    await nextTurn();
    statements.length = 0;
    expect(await read(all)).toContain('<ID>7</ID>');
    expect(statements).toEqual([VERSION]);
  });

  it('are shared by all reads in one turn of the event loop', async () => {
    const all = await moved(false);
    await read(all);
    await nextTurn();
    statements.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => read(all)));
    expect(statements).toEqual([VERSION]);
    await nextTurn();
    await read(all);
    expect(statements).toEqual([VERSION, VERSION]);
  });

  it('include one look at the ledger for each read that joins another', async () => {
    const all = await moved();
    await read(all);
    await nextTurn();
    expect(await during(() => Promise.all(Array.from({ length: 20 }, () => read(all))))).toEqual(
      Array.from({ length: 19 }, () => 'select write_marks'),
    );
  });

  it('are none for a read after this process has written something unrelated to accounts', async () => {
    const all = await moved();
    await read(all);
    const entry = { at: 1, who: 'test', action: 'test', accountIds: [], detail: '' };
    await all.store.audit.write(entry);
    await newGrant(all.store);
    await all.store.settings.set('a', 'b');
    expect(await during(() => read(all))).toEqual([]);
  });

  it('are none for a read after this process has recorded the last calls of accounts', async () => {
    const all = await moved();
    await read(all);
    const [account] = await all.store.accounts.list();
    all.store.calls.record({
      ...{ accountId: account?.id ?? '', requestId: 'last', at: 1, verb: 'GET', method: 'client.get' },
      ...{ source: 'v3', status: 200, failed: false, millis: 1, upstreamMillis: 1 },
    });
    const flushed = await during(async () => {
      for (let flushes = 0; flushes < 40; flushes += 1) await all.store.calls.flush();
    });
    expect(flushed.filter((words) => words === 'update accounts')).toHaveLength(1);
    expect(await during(() => read(all))).toEqual([]);
  });

  it('read no table whose changes go unnoticed', async () => {
    const all = await moved();
    statements.length = 0;
    await read(all);
    const [row = ''] = statements.filter((sql) => sql.includes('account_key_index'));
    const tables = Array.from(row.matchAll(/\b(?:from|join)\s+"?(\w+)/gi), ([, name]) => name);
    expect(tables.toSorted()).toEqual([...CACHED_TABLES].sort());
    for (const table of tables) {
      expect(`insert into "${table}" values (1)`).toMatch(CONCERNS_ACCOUNTS);
      expect(`update ${table} set a = 1`).toMatch(CONCERNS_ACCOUNTS);
      expect(`delete from "${table}"`).toMatch(CONCERNS_ACCOUNTS);
    }
    expect('alter table "grants" add "x"').toMatch(CONCERNS_ACCOUNTS);
  });

  it('are none for a read right after a write of the ledger', async () => {
    const all = await moved();
    await read(all);
    for (const one of [change, add]) {
      await one(all);
      expect(await during(() => read(all))).toEqual([]);
    }
  });

  it('are the ledger row alone for a write that creates nothing', async () => {
    const all = await moved();
    await change(all);
    expect(await during(() => change(all))).toEqual([
      'begin',
      'select writes', // nothing like it is unanswered
      'insert writes',
      'commit',
      // What came of it is written when its caller has the answer, which nobody reads here.
    ]);
  });

  it('are the row, with the number, and the pair for a write that creates a record', async () => {
    const all = await moved();
    await add(all);
    const asked = await during(() => add(all));
    expect(asked.slice(0, 5)).toEqual([
      'begin',
      'select writes',
      'insert crosswalk_kinds', // the number
      'insert writes',
      'commit',
    ]);
    expect(asked.filter((one) => one === 'commit')).toHaveLength(2);
    expect(asked.filter((one) => one.startsWith('insert'))).toEqual([
      'insert crosswalk_kinds',
      'insert writes',
      'insert crosswalk_kinds',
      'insert crosswalk',
    ]);
    expect(asked.filter((one) => one.includes('accounts'))).toEqual([]);
  });

  it('are the ledger row alone for a write that creates a record on V1', async () => {
    const all = await world({
      ...{ url: `sqlite:${join(folder, 'store.db')}`, stage: 'legacy', ledger: true },
      complete: ['client', 'contact', 'job'],
      v1: () => ok('<Client><ID>13</ID><Name>n</Name></Client>'),
    });
    await add(all);
    expect(await during(() => add(all))).toEqual(['begin', 'select writes', 'insert writes', 'commit']);
    const [account] = await all.store.accounts.list();
    expect(await all.store.crosswalk.addedSince(account?.id ?? '')).toEqual(new Set(['client', 'contact']));
  });

  it('include the account once after it was changed, by this process or another', async () => {
    const all = await moved();
    await read(all);
    const event = { at: 1, kind: 'test', actor: 'test', detail: 'test' };
    const [account] = await all.store.accounts.list();
    await all.store.accounts.change(account?.id ?? '', (life) => life, event);
    expect(await during(() => read(all))).toEqual(['select accounts']);
    const other = await openStore(`sqlite:${join(folder, 'store.db')}`);
    await other.accounts.change(account?.id ?? '', (life) => life, event);
    await other.close();
    await nextTurn();
    expect(await during(() => read(all))).toEqual(['select account_marks', 'select accounts']);
    expect(await during(() => read(all))).toEqual([]);
  });

  it('include the changed accounts once after another process has written anything', async () => {
    const all = await moved();
    await read(all);
    await elsewhere('update crosswalk_kinds set allotted_to = allotted_to + 1');
    expect(await during(() => read(all))).toEqual(['select account_marks']);
    expect(await during(() => read(all))).toEqual([]);
  });
});

describe('the keyed hash of a key', () => {
  it('is not computed for a pair that has called before, whatever was written since', async () => {
    const all = await moved();
    expect(await hashesDuring(() => read(all))).toBe(2);
    expect(await hashesDuring(() => read(all))).toBe(0);
    await elsewhere('update crosswalk_kinds set allotted_to = allotted_to + 1');
    expect(await hashesDuring(() => read(all))).toBe(0);
  });

  it('is computed for each call of an unknown pair', async () => {
    const all = await moved();
    const unknown = (): Promise<unknown> =>
      ask(all, 'GET client.api/get/7', { accountKey: 'nobody' }).catch((error: unknown) => error);
    expect(await hashesDuring(unknown)).toBe(2);
    expect(await hashesDuring(unknown)).toBe(2);
  });
});
