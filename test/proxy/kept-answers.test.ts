import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { keptMethods, KeptAnswers } from '../../src/proxy/sparing/kept-answers.ts';
import { answerOf } from '../../src/proxy/sparing/held-answer.ts';
import { eventually } from '../support/clock.ts';
import { deliveredMapping } from '../support/mapping.ts';
import {
  callOf,
  closeWorlds,
  json,
  ok,
  pair,
  textOf,
  uuid,
  world,
  type Setting,
  type World,
} from './world.ts';

const STAFF = uuid('57', 1);
const LASTS = 60_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-kept-'));
});
afterEach(async () => {
  await closeWorlds();
  rmSync(folder, { recursive: true });
});

const member = (name: string): string => `<Staff><UUID>${STAFF}</UUID><Name>${name}</Name></Staff>`;
const setting = (keptFor = LASTS): Setting => ({
  url: `sqlite:${join(folder, 'store.db')}`,
  ledger: true,
  sparing: { keptFor },
  pageSize: 100,
  pairs: [pair('staff', 7, STAFF)],
  complete: ['staff'],
  v3: ({ segments, verb }, count) => {
    if (verb !== 'GET' || segments[0] === 'client.api') return ok();
    if (segments[0] === 'category.api')
      return ok(
        `<Categories><Category><UUID>${uuid('ca', 1)}</UUID><Name>c${count}</Name></Category></Categories>`,
      );
    return ok(segments[1] === 'get' ? member(`n${count}`) : `<StaffList>${member(`n${count}`)}</StaffList>`);
  },
});

interface Got {
  readonly name: string | undefined;
  readonly source: string;
}

async function get(of: World, path: string): Promise<Got> {
  const reply = await of.bridge.serve(callOf(`GET ${path}`));
  return { name: /<Name>(.*?)<\/Name>/.exec(await textOf(reply))?.[1], source: reply.source };
}

let writes = 0;
async function write(of: World, line: string, body: string): Promise<void> {
  const reply = await of.bridge.serve(callOf(line, { body, requestId: `w${(writes += 1)}` }));
  reply.delivered?.(true);
  await eventually('the ledger knows its outcome', async () =>
    (await of.store.writeMarks.look('account-1')).open.size === 0 ? true : undefined,
  );
}
const changeStaff = (of: World): Promise<void> =>
  write(of, 'PUT staff.api/update', '<Staff><ID>7</ID><Name>changed</Name></Staff>');

describe('a cached reply', () => {
  it('is fetched once and then served from memory, with its source', async () => {
    const all = await world(setting());
    expect(await get(all, 'staff.api/list')).toEqual({ name: 'n1', source: 'v3' });
    expect(await get(all, 'staff.api/list')).toEqual({ name: 'n1', source: 'cache' });
    expect(await get(all, 'staff.api/get/7')).toEqual({ name: 'n2', source: 'v3' });
    expect(await get(all, 'staff.api/get/7')).toEqual({ name: 'n2', source: 'cache' });
    expect([all.v3.requests.length, all.spared]).toEqual([2, ['kept', 'kept']]);
  });

  it('is fetched again when it expires', async () => {
    const all = await world(setting());
    await get(all, 'staff.api/list');
    all.clock.time += LASTS - 1;
    expect((await get(all, 'staff.api/list')).source).toBe('cache');
    all.clock.time += 1;
    expect(await get(all, 'staff.api/list')).toEqual({ name: 'n2', source: 'v3' });
  });

  it.each(['the same instance', 'another instance'])(
    'is dropped by a write that affects it, by %s',
    async (where) => {
      const all = await world(setting());
      const other = where === 'another instance' ? await world(setting()) : all;
      await get(all, 'staff.api/list');
      await changeStaff(other);
      expect((await get(all, 'staff.api/list')).source).toBe('v3');
      expect((await get(all, 'staff.api/list')).source).toBe('cache');
    },
  );

  it('survives a write that affects other data', async () => {
    const all = await world(setting());
    await get(all, 'category.api/list');
    await changeStaff(all);
    expect(await get(all, 'category.api/list')).toEqual({ name: 'c1', source: 'cache' });
  });

  it('is dropped by a write with unknown effects', async () => {
    const all = await world(setting());
    await get(all, 'category.api/list');
    await write(all, 'POST client.api/unheardof', '<Client><Name>x</Name></Client>');
    expect((await get(all, 'category.api/list')).source).toBe('v3');
  });

  it('is not stored while a write that affects it is in progress', async () => {
    const all = await world(setting());
    const marks = { id: 'w-open', accountId: 'account-1', method: 'staff.update', route: 'v3' };
    await all.store.writes.enter(
      {
        ...marks,
        fingerprints: ['f'],
        idempotency: [],
        length: 1,
        owner: 'other',
        factsSealed: '',
        kind: undefined,
        now: 0,
      },
      { untoldSince: 0, keyedSince: 0, besides: [] },
    );
    await get(all, 'staff.api/list');
    expect((await get(all, 'staff.api/list')).source).toBe('v3');
  });

  it('is not stored unless the operator sets a lifetime', async () => {
    const all = await world({ ...setting(), sparing: {} });
    await get(all, 'staff.api/list');
    expect((await get(all, 'staff.api/list')).source).toBe('v3');
  });
});

it('a failure that passes is not cached', async () => {
  const failure = { ...ok(), body: '<Response><Status>ERROR</Status></Response>' };
  const of = await world({
    ...setting(),
    v3: (_request, count) => (count === 1 ? failure : ok(`<StaffList>${member(`n${count}`)}</StaffList>`)),
  });
  await get(of, 'staff.api/list').catch(() => undefined);
  expect([(await get(of, 'staff.api/list')).name, (await get(of, 'staff.api/list')).name]).toEqual([
    'n2',
    'n2',
  ]);
});

it.each([
  ['an error', '{"error":{"message":"An unexpected error has occurred"}}'],
  ['an error beside an empty list', '{"data":[],"errors":["Try again"]}'],
  ['no record', '{"data":{}}'],
  ['no JSON', '<html>Just a moment</html>'],
])('an answer of V2 with %s is not cached, though its status is 200', async (_, failure) => {
  const of = await world({
    ...setting(),
    v2: (_request, count) =>
      count === 1 ? { body: failure } : json({ uuid: STAFF, firstName: `n${count}`, lastName: 'x' }),
  });
  const read = (): Promise<string> =>
    get(of, 'staff.api/get/7').then(
      ({ source }) => source,
      () => 'failed',
    );
  expect([await read(), await read(), await read()]).toEqual(['failed', 'v2', 'cache']);
});

describe('the table of cached methods', () => {
  const methods = deliveredMapping('uuid').methods;

  it.each(Object.entries(keptMethods))(
    'names a read in %s, and the families that write it',
    (id, families) => {
      expect(methods.find((method) => method.id === id)?.v3.verbs).toEqual(['GET']);
      expect(families).toContain(id.split('.')[0]);
    },
  );
});

describe('the memory for cached replies', () => {
  it('stays within its limit: the oldest are dropped first', () => {
    const kept = new KeptAnswers({ now: () => 0 }, 1);
    const marks = { counts: new Map<string, number>(), open: new Set<string>() };
    const head = { status: 200, contentType: 'text/xml', headers: {}, millis: 0 };
    const answer = answerOf(head, Buffer.alloc(1_024 * 1_024));
    for (let n = 0; n < 65; n += 1) kept.put(String(n), { answer, marks });
    kept.put('64', { answer, marks });
    expect([kept.find('0'), kept.find('1')?.answer]).toEqual([undefined, answer]);
  });

  it('holds a limited number of them, and none that has expired', () => {
    const marks = { counts: new Map<string, number>(), open: new Set<string>() };
    const head = { status: 200, contentType: 'text/xml', headers: {}, millis: 0 };
    const answer = answerOf(head, Buffer.from('x'));
    let now = 0;
    const kept = new KeptAnswers({ now: () => now }, 10);
    for (let n = 0; n <= 16_384; n += 1) kept.put(String(n), { answer, marks });
    expect([kept.find('0'), kept.find('1')?.answer, kept.size]).toEqual([undefined, answer, 16_384]);
    now = 10;
    kept.put('new', { answer, marks });
    expect(kept.size).toBe(1);
  });
});
