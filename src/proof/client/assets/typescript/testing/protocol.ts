/** Tests what this client guarantees about tokens, limits and writes, independent of its use. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  GrantLost,
  NotAuthorised,
  OutcomeUnknown,
  RateLimited,
  RefreshFailed,
  Refused,
  Unavailable,
  UnusableAnswer,
} from '../runtime/errors.ts';
import { FileTokenStore } from '../runtime/file-store.ts';
import type { Method, Shared } from '../../../../../proof/client/client-tables.ts';
import type { Tokens } from '../runtime/tokens.ts';
import { connected, Memory, Service } from './service.ts';

const OK = '<Response><Status>OK</Status></Response>';
const about = {
  reply: { form: 'status' },
  records: { Thing: { Name: { required: true } } },
  legacy: [],
} as const;
const read: Method = {
  ...{ ...about, id: 'thing.get', isRead: true, v3: { verb: 'GET', path: ['thing.api', 'get'] } },
};
const write: Method = {
  ...{ ...about, id: 'thing.add', isRead: false, v3: { verb: 'POST', path: ['thing.api', 'add'] } },
  body: { root: 'Thing', of: 'Thing' },
};
const sent = { body: { Name: 'A' } };
const today: Method = {
  ...{ ...about, id: 'thing.today', isRead: true, v3: { verb: 'GET', path: ['thing.api', 'today'] } },
  v2: { steps: [{ verb: 'GET', path: ['things', '{today}'] }], from: 0 },
};

const things: Method = {
  ...{ ...about, id: 'thing.list', isRead: true },
  reply: { form: 'list', container: 'Things', element: 'Thing', of: 'Thing' },
  v3: { verb: 'GET', path: ['thing.api', 'list'], pageSize: 2 },
  v2: { steps: [{ verb: 'GET', path: ['things'], pages: true }], from: 0 },
};
/** V2 replaces the whole list of places. */
const change: Method = {
  ...{ ...about, id: 'thing.update', isRead: false, v3: { verb: 'PUT', path: ['thing.api', 'update'] } },
  body: { root: 'Thing', of: 'Thing' },
  records: { Thing: { City: { v2: { paths: ['places[type=main].city'] } } } },
  v2: {
    steps: [
      { name: 'before', verb: 'GET', path: ['things'] },
      {
        ...{ verb: 'PUT', path: ['things'] },
        body: { of: 'Thing', empty: 'text', keep: [['places', '{before.places}']] },
      },
    ],
    from: 1,
  },
};
const page = (total: number, ...names: readonly string[]): Response => {
  const records = names.map((name) => `<Thing><UUID>${name}</UUID><Name>${name}</Name></Thing>`).join('');
  return new Response(
    `<Response><Status>OK</Status><TotalRecords>${total}</TotalRecords><Things>${records}</Things></Response>`,
  );
};
const withoutUuids = async (answer: Response): Promise<Response> =>
  new Response((await answer.text()).replaceAll(/<UUID>.*?<\/UUID>/g, ''));
const pageOnV2 = (total: number | undefined, pages: number, ...names: readonly string[]): Response =>
  Response.json({
    data: names.map((uuid) => ({ uuid, name: uuid })),
    meta: { pagination: { total_items: total, total_pages: pages } },
  });
const namesIn = (list: unknown): readonly unknown[] =>
  (list as readonly { readonly Name: unknown }[]).map(({ Name }) => Name);

const good: Tokens = { accessToken: 'good', refreshToken: 'r1', expiresAt: Number.MAX_SAFE_INTEGER };
const stale: Tokens = { accessToken: 'old', refreshToken: 'r1', expiresAt: 0 };
const granted = (): Response =>
  Response.json({ access_token: 'fresh', refresh_token: 'r2', expires_in: 1_800 });
const ok = (): Response => new Response(OK);

/** Creates the tests. */
export function testProtocol(shared: Shared): void {
  testTokens(shared);
  testWrites(shared);
  testReads(shared);
  testLists(shared);
}

function testTokens(shared: Shared): void {
  void test('a stale token is renewed once for all calls, and the new pair is stored before it is used', async () => {
    const store = new Memory(stale);
    const service = new Service(granted(), ok(), ok());
    const make = connected(shared, service, store);
    await Promise.all([make(read, {}, undefined), make(read, {}, undefined)]);
    assert.equal(service.asked.filter((line) => line.startsWith(`POST ${shared.tokenPath}`)).length, 1);
    assert.equal(service.asked.filter((line) => line.endsWith('Bearer fresh')).length, 2);
    assert.deepEqual(
      store.saved.map(({ refreshToken }) => refreshToken),
      ['r2'],
    );
  });

  for (const told of [{ expires_in: '1800' }, {}])
    void test(`a token is used for its life: ${JSON.stringify(told)}`, async () => {
      const renewed = Response.json({ access_token: 'fresh', refresh_token: 'r2', ...told });
      const service = new Service(renewed, ok(), ok());
      const make = connected(shared, service, new Memory(stale));
      for (const input of [{}, {}]) await make(read, input, undefined);
      assert.equal(service.asked.length, 3);
    });

  void test('a token that is still valid is used while it cannot be renewed', async () => {
    let now = 0;
    const failed = (): Response => new Response('', { status: 503 });
    const service = new Service(failed(), ok(), ok(), failed(), ok(), failed());
    const nearlyStale = new Memory({ ...good, expiresAt: shared.refreshAheadSeconds * 1_000 });
    const make = connected(shared, service, nearlyStale, { now: () => now });
    for (const second of [0, 29, 30]) {
      now = second * 1_000;
      await make(read, {}, undefined);
    }
    now = shared.refreshAheadSeconds * 1_000;
    await assert.rejects(make(read, {}, undefined), RefreshFailed);
    assert.equal(service.asked.filter((line) => line.endsWith('Bearer good')).length, 3);
  });

  void test('tokens that cannot be stored are not used', async () => {
    const service = new Service(granted());
    const store = { load: () => Promise.resolve(stale), save: () => Promise.reject(new Error('disk full')) };
    await assert.rejects(connected(shared, service, store)(read, {}, undefined));
    assert.equal(service.asked.length, 1);
  });

  void test('a refresh token that is not accepted is a grant that was lost', async () => {
    const service = new Service(Response.json({ error: 'invalid_grant' }, { status: 400 }));
    await assert.rejects(connected(shared, service, new Memory(stale))(read, {}, undefined), GrantLost);
  });

  void test('tokens in a file are the owner’s alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-tokens-'));
    try {
      const store = new FileTokenStore(join(folder, 'tokens.json'));
      assert.equal(await store.load(), undefined);
      await store.save(good);
      assert.deepEqual(await store.load(), good);
      assert.equal((await stat(join(folder, 'tokens.json'))).mode & 0o077, 0);
      assert.match(await readFile(join(folder, 'tokens.json'), 'utf8'), /"r1"/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

function testWrites(shared: Shared): void {
  void test('after a token that was refused for a write, the next write has a new one', async () => {
    const service = new Service(new Response('', { status: 401 }), granted(), ok());
    const make = connected(shared, service, new Memory(good));
    await assert.rejects(make(write, sent, undefined), NotAuthorised);
    await make(write, sent, undefined);
    assert.equal(service.asked.length, 3);
    assert.match(service.asked.at(-1) ?? '', /thing.api\/add Bearer fresh$/);
  });

  const limited = (): Response => new Response('', { status: 429, headers: { 'retry-after': '30' } });
  const unconnected = new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  });
  const away = { load: () => Promise.reject(new Error('away')), save: () => Promise.resolve() };
  const aborted = AbortSignal.abort();
  for (const [what, service, store, how] of [
    ['the tokens cannot be read', new Service(), away, {}],
    ['nobody listens', new Service(unconnected), new Memory(good), {}],
    ['the program aborts it before', new Service(), new Memory(good), { signal: aborted }],
  ] as const)
    void test(`the outcome of a write is known if nothing was sent: ${what}`, async () => {
      await assert.rejects(connected(shared, service, store)(write, sent, how), Unavailable);
    });

  void test('the outcome of a write is known if it is aborted while it waits for the limit', async () => {
    const service = new Service(limited());
    const make = connected(shared, service, new Memory(good));
    await assert.rejects(make(write, sent, undefined), RateLimited);
    const program = new AbortController();
    const waiting = make(write, sent, { signal: program.signal });
    program.abort();
    await assert.rejects(waiting, Unavailable);
    assert.equal(service.asked.length, 1);
  });

  void test('no redirection is followed', async () => {
    const asked: unknown[] = [];
    const server = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.writeHead(302, { Location: '/elsewhere' }).end(OK);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const v3Url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const make = connected(shared, new Service(), new Memory(good), { v3Url, fetch });
      await assert.rejects(make(write, sent, undefined), UnusableAnswer);
      assert.deepEqual(asked, ['POST /thing.api/add']);
    } finally {
      server.close();
    }
  });

  for (const [what, answer, kind] of [
    ['no answer', new Error('cut'), OutcomeUnknown],
    ['500', new Response('', { status: 500 }), OutcomeUnknown],
    ['an answer that is none', new Response('<html>'), OutcomeUnknown],
    ['429', new Response('', { status: 429, headers: { 'retry-after': '3' } }), RateLimited],
  ] as const)
    void test(`a write is sent once, also after ${what}`, async () => {
      const service = new Service(answer, ok());
      await assert.rejects(connected(shared, service, new Memory(good))(write, sent, undefined), kind);
      assert.equal(service.asked.length, 1);
    });

  const main = { type: 'main', city: 'Oslo' };
  const other = { type: 'other', city: 'Bergen' };
  for (const places of [[main, other], { 0: main, 1: other }])
    void test(`a list that V2 replaces keeps its other entries: ${JSON.stringify(places)}`, async () => {
      const service = new Service(Response.json({ places }), Response.json({}));
      const make = connected(shared, service, new Memory(good));
      await make(change, { body: { City: 'Moss' } }, { api: 'v2' });
      const sentPlaces = [{ ...main, city: 'Moss' }, other];
      assert.deepEqual(service.bodies.at(-1), JSON.stringify({ places: sentPlaces }));
    });

  for (const answer of [{}, { places: null }, { places: { main: 'Oslo' } }])
    void test(`a list that V2 replaces is not sent unless it is known: ${JSON.stringify(answer)}`, async () => {
      const service = new Service(Response.json(answer), Response.json({}));
      const make = connected(shared, service, new Memory(good));
      await assert.rejects(make(change, { body: { City: 'Moss' } }, { api: 'v2' }), /no list/);
      assert.equal(service.asked.length, 1);
    });

  void test('a record without what it must have is not sent', async () => {
    const service = new Service();
    const make = connected(shared, service, new Memory(good));
    await assert.rejects(make(write, { body: {} }, undefined), /Thing\/Name is missing/);
    await assert.rejects(make(write, { body: { Name: 'A', Nome: 'B' } }, undefined), /no element Nome/);
    assert.deepEqual(service.asked, []);
  });
}

function testReads(shared: Shared): void {
  void test('a read waits as long as a 429 says, and is asked again', async () => {
    const service = new Service(new Response('', { status: 429, headers: { 'retry-after': '0' } }), ok());
    await connected(shared, service, new Memory(good))(read, {}, undefined);
    assert.equal(service.asked.length, 2);
  });

  void test('a day that V2 demands is the day in the time zone of the organisation', async () => {
    const service = new Service(Response.json({}), Response.json({}));
    const now = (): number => Date.parse('2026-11-26T23:30:00Z');
    for (const more of [{ now }, { now, timeZone: 'Pacific/Auckland' }])
      await connected(shared, service, new Memory(good), more)(today, {}, { api: 'v2' });
    assert.match(service.asked.join(), /things\/2026-11-26 .*things\/2026-11-27 /);
  });

  void test('a day that a list is asked for is a day in the time zone of the organisation', async () => {
    const from = '{query.from|date}';
    const where = [{ paths: ['createdAt'], from, to: from }];
    const dated: Method = {
      ...{ ...things, query: ['from'] },
      v2: { steps: [{ verb: 'GET', path: ['things'], pages: true }], from: 0, where },
    };
    const data = [{ uuid: 'a', name: 'a', createdAt: '2026-11-26T20:30:00Z' }];
    const found = async (day: string): Promise<unknown> => {
      const service = new Service(Response.json({ data }));
      const make = connected(shared, service, new Memory(good), { timeZone: 'Pacific/Auckland' });
      return make(dated, { query: { from: day } }, { api: 'v2' });
    };
    assert.equal(((await found('2026-11-27')) as readonly unknown[]).length, 1);
    assert.deepEqual(await found('2026-11-26'), []);
  });

  void test('what the service refuses has the words of the service', async () => {
    const text =
      '<Response><Status>ERROR</Status><ErrorDescription>No such thing</ErrorDescription></Response>';
    const make = connected(shared, new Service(new Response(text)), new Memory(good));
    await assert.rejects(make(read, {}, undefined), (error) => {
      assert.ok(error instanceof Refused);
      assert.equal(error.message, 'No such thing');
      return true;
    });
  });
}

function testLists(shared: Shared): void {
  void test('a list that changes while it is read is read again', async () => {
    const service = new Service(page(4, 'a', 'b'), page(4, 'b', 'c'), page(4, 'a', 'b'), page(4, 'c', 'd'));
    const all = await connected(shared, service, new Memory(good))(things, {}, undefined);
    assert.deepEqual(namesIn(all), ['a', 'b', 'c', 'd']);
  });

  void test('a list that grows while it is read is read once', async () => {
    const grown = new Service(page(4, 'a', 'b'), page(5, 'b', 'c'), page(5, 'd'));
    const all = await connected(shared, grown, new Memory(good))(things, {}, undefined);
    assert.deepEqual(namesIn(all), ['a', 'b', 'c', 'd']);
    const byPage = new Service(page(4, 'a', 'b'), page(6, 'a', 'b'), page(6, 'c', 'd'));
    const whole = await connected(shared, byPage, new Memory(good))(things, {}, undefined);
    assert.deepEqual(namesIn(whole), ['a', 'b', 'c', 'd']);
    const onV2 = new Service(pageOnV2(4, 2, 'a', 'b'), pageOnV2(5, 3, 'b', 'c'), pageOnV2(5, 3, 'd'));
    const rows = await connected(shared, onV2, new Memory(good))(things, {}, { api: 'v2' });
    assert.equal((rows as readonly unknown[]).length, 4);
  });

  void test('a record of several passes of a list comes once, and a pass replaces parameters', async () => {
    const passes = [[['status', 'old']], [['since', '{yesterday}']]] as const;
    const query = [['since', '2020-01-01']] as const;
    const inPasses: Method = {
      ...things,
      v2: { steps: [{ verb: 'GET', path: ['things'], query, passes, pages: true }], from: 0 },
    };
    const service = new Service(pageOnV2(2, 1, 'a', 'b'), pageOnV2(2, 1, 'b', 'c'));
    const more = { now: () => Date.parse('2026-11-26T23:30:00Z') };
    const rows = await connected(shared, service, new Memory(good), more)(inPasses, {}, { api: 'v2' });
    assert.equal((rows as readonly unknown[]).length, 3);
    assert.match(service.queries.join(), /^\?since=2020-01-01&status=old&.*,\?since=2026-11-25&/);
  });

  const thing = '<Thing><UUID>a</UUID><Name>a</Name></Thing>';
  for (const inner of [
    `<Items>${thing}</Items>`,
    thing,
    `<Things/>${thing}`,
    '<Message>Later</Message>',
    '<Records>2</Records>',
  ])
    void test(`a list in another place is no empty list: ${inner}`, async () => {
      const answer = new Response(`<Response><Status>OK</Status>${inner}</Response>`);
      const make = connected(shared, new Service(answer), new Memory(good));
      await assert.rejects(make(things, {}, undefined), /The answer has no Things/);
    });

  for (const inner of [
    '',
    '<Things/>',
    '<TotalRecords>0</TotalRecords><Things></Things>',
    '<Records>0</Records>',
    '<TotalRecords>0</TotalRecords><TotalPages>1</TotalPages><Limit>100</Limit>',
  ])
    void test(`a list without records is empty: ${inner}`, async () => {
      const answer = new Response(`<Response><Status>OK</Status>${inner}</Response>`);
      const make = connected(shared, new Service(answer), new Memory(good));
      assert.deepEqual(await make(things, {}, undefined), []);
    });

  void test('equal records without a UUID are all in the list', async () => {
    const pages = [page(4, 'a', 'b'), page(4, 'c', 'a')].map(withoutUuids);
    const service = new Service(...(await Promise.all(pages)));
    const all = await connected(shared, service, new Memory(good))(things, {}, undefined);
    assert.deepEqual(namesIn(all), ['a', 'b', 'c', 'a']);
  });

  void test('a part of a list is an error', async () => {
    const [again, v3] = [Array.from({ length: 6 }, () => page(3, 'a', 'b')), things.v3];
    const same = connected(shared, new Service(...again), new Memory(good));
    await assert.rejects(same(things, {}, undefined), /changed while it was read/);
    const whole = { ...things, v3: { verb: v3.verb, path: v3.path } };
    const short = connected(shared, new Service(page(3, 'a', 'b')), new Memory(good));
    await assert.rejects(short(whole, {}, undefined), /not whole/);
    for (const [total, pages, requests] of [
      [3, 1, 3],
      [undefined, 2, 6],
    ] as const) {
      const rows = Array.from({ length: requests }, () => pageOnV2(total, pages, 'a', 'b'));
      const onV2 = connected(shared, new Service(...rows), new Memory(good));
      await assert.rejects(onV2(things, {}, { api: 'v2' }), /changed while it was read/);
    }
    const untold = (): Response => Response.json({ data: ['a', 'b'].map((uuid) => ({ uuid, name: uuid })) });
    const forgetful = Array.from({ length: 3 }, () => [pageOnV2(4, 2, 'a', 'b'), untold()]).flat();
    const told = connected(shared, new Service(...forgetful), new Memory(good));
    await assert.rejects(told(things, {}, { api: 'v2' }), /changed while it was read/);
    const unnamed = await Promise.all(Array.from({ length: 6 }, () => withoutUuids(page(3, 'a', 'b'))));
    const repeated = connected(shared, new Service(...unnamed), new Memory(good));
    await assert.rejects(repeated(things, {}, undefined), /changed while it was read/);
  });
}
