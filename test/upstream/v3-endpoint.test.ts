import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { PermitPool } from '../../src/upstream/limiter/permit-pool.ts';
import { SECOND } from '../../src/lib/time/clock.ts';
import { Failure } from '../../src/lib/failure.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import type { Bulkhead } from '../../src/upstream/transport/bulkhead.ts';
import { UpstreamClient, type UpstreamClientParts } from '../../src/upstream/client.ts';
import type { TransportLimits } from '../../src/upstream/transport/exchange.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { Trace } from '../../src/proxy/call/call.ts';
import { testProfile } from '../support/profile.ts';
import { bulkheadTo, carried, CountingVault } from './bench.ts';
import {
  answer,
  badServer,
  codeOf,
  cut,
  inTurn,
  nobody,
  read,
  reset,
  silence,
  stall,
  type BadServer,
  type Behaviour,
} from './server.ts';
import { HandClock, until } from '../support/clock.ts';

const to = {
  accountId: 'a1',
  product: 'standard',
  application: 'default',
  grantId: 'g',
  organisationId: 'org-1',
} as const;

let server: BadServer;
let bulkheads: Bulkhead[];

beforeEach(async () => {
  server = await badServer();
  bulkheads = [];
});

afterEach(async () => {
  await Promise.all(bulkheads.map((bulkhead) => bulkhead.close(0)));
  await server.close();
});

interface Bench {
  readonly lane: UpstreamClient;
  readonly vault: CountingVault;
  readonly clock: HandClock;
  readonly rateLimiter: RateLimiter;
  readonly bulkhead: Bulkhead;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function bench(
  parts: Partial<UpstreamClientParts> = {},
  limits: Partial<TransportLimits> = {},
  origin = server.origin,
): Bench {
  const transport = new Transport({ answerMs: 10_000, stallMs: 10_000, ...limits });
  const { vault, clock, ...rest } = carried();
  const bulkhead = bulkheadTo(origin, { transport, clock });
  bulkheads.push(bulkhead);
  const rateLimiter = parts.rateLimiter ?? rest.rateLimiter;
  const lane = new UpstreamClient({
    version: 'v3',
    roots: { standard: `${server.origin}/xml/3.0`, practice: `${server.origin}/practice/3.0/` },
    bulkheads: { standard: bulkhead, practice: bulkhead },
    vault,
    clock,
    ...rest,
    ...parts,
    rateLimiter,
  });
  return { lane, vault, clock, rateLimiter, bulkhead };
}

const get = (overrides: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  verb: 'GET',
  segments: ['client.api', 'list'],
  query: [],
  signal: new AbortController().signal,
  ...overrides,
});

const post = (overrides: Partial<UpstreamRequest> = {}): UpstreamRequest =>
  get({ verb: 'POST', segments: ['client.api', 'add'], body: '<Client>é</Client>', ...overrides });

describe('a request to V3', () => {
  it('has token, organisation and accepted types, and nothing of the bridge', async () => {
    const { lane } = bench();
    const { status, contentType, body } = await lane.send(to, get());
    expect([status, contentType, (await read(body)).toString()]).toEqual([
      200,
      'text/xml; charset=utf-8',
      '<ok/>',
    ]);
    expect(server.seen).toEqual([
      {
        method: 'GET',
        url: '/xml/3.0/client.api/list',
        body: '',
        headers: {
          host: server.origin.slice('http://'.length),
          connection: 'keep-alive',
          accept: 'application/xml, text/xml',
          'accept-encoding': 'identity',
          authorization: 'Bearer at-1',
          'account-id': 'org-1',
        },
      },
    ]);
  });

  it('writes its body itself, in UTF-8', async () => {
    await bench().lane.send(to, post());
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: Buffer.from('<Client>é</Client>').toString('latin1'),
      headers: { 'content-type': 'text/xml; charset=utf-8', 'content-length': '19' },
    });
  });

  it('goes to the root of its product, with the header of the profile', async () => {
    const profile = { ...testProfile(), organisationHeader: 'tenant-id' };
    await bench({ profile }).lane.send({ ...to, product: 'practice' }, get());
    expect(server.seen[0]).toMatchObject({
      url: '/practice/3.0/client.api/list',
      headers: { 'tenant-id': 'org-1' },
    });
  });

  it('encodes segments and parameters again', async () => {
    await bench().lane.send(
      to,
      get({
        segments: ['job.api', 'get', 'J 1?#&é'],
        query: [
          ['query', 'A&B=C é+'],
          ['query', ''],
        ],
      }),
    );
    expect(server.seen[0]?.url).toBe(
      '/xml/3.0/job.api/get/J%201%3F%23%26%C3%A9?query=A%26B%3DC%20%C3%A9%2B&query=',
    );
  });

  it.each([
    ['Q25008/2', 'Q25008%2F2'],
    ['24/001', '24%2F001'],
    ['JOB 7/24/001', 'JOB%207%2F24%2F001'],
    ['24/A', '24%2FA'],
    ['24 / Küche-2', '24%20%2F%20K%C3%BCche-2'],
  ])('keeps the number %j in one segment', async (number, segment) => {
    server.behave(answer('<Response/>'));
    await bench().lane.send(to, get({ segments: ['job.api', 'get', number] }));
    expect(server.seen[0]?.url).toBe(`/xml/3.0/job.api/get/${segment}`);
  });

  it.each([
    '',
    '.',
    '..',
    '%2e%2E',
    '.%2e',
    '/2',
    '2/',
    'a//2',
    '../2',
    '%2e./2',
    '..%2fx',
    'x%2F..%2Fy',
    'x%5c%2e%2e',
    '24/x%2f..',
    '..%3bx',
    'a/../2',
    'a/./2',
    'a/ ../2',
    'a/..;x/2',
    'a/.x',
    'a/ /2',
    'a/-/2',
    'a/․․/2',
    'a／../2',
    'a/1/2/3/4/5/6/7/8',
    'a/%2e%2e',
    'a\\b',
    'a\0b',
    'a\r\nb',
    '\u007f',
    '\ud800',
  ])('with the segment %j is refused before anything is sent', async (segment) => {
    const { lane, vault } = bench();
    expect(await codeOf(lane.send(to, get({ segments: ['client.api', 'get', segment] })))).toBe('badRequest');
    expect([server.seen.length, vault.asked]).toEqual([0, 0]);
  });

  it('never lets an organisation add another header', async () => {
    const evil = { ...to, organisationId: 'a\r\nx-evil: 1' };
    expect(await codeOf(bench().lane.send(evil, get()))).toBe('badRequest');
    expect(server.seen).toEqual([]);
  });

  it('with an unknown verb is refused', async () => {
    expect(await codeOf(bench().lane.send(to, get({ verb: 'TRACE' })))).toBe('wrongVerb');
  });

  it.each([400, 403, 404, 500, 502])('that is answered by %i passes the reply on', async (status) => {
    server.behave(answer('<no/>', status));
    const got = await bench().lane.send(to, get());
    expect([got.status, (await read(got.body)).toString()]).toEqual([status, '<no/>']);
    expect(server.seen).toHaveLength(1);
  });
});

describe('after 401 of the service', () => {
  it.each([
    ['GET', get()],
    ['POST', post()],
  ])('a %s is sent once more with a newer token', async (_, request) => {
    server.behave(inTurn(answer('{"Title":"Unauthorized"}', 401), answer('<ok/>')));
    expect((await bench().lane.send(to, request)).status).toBe(200);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer at-1', 'Bearer at-2']);
    expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
  });

  it('twice in a row, the reply is passed on', async () => {
    server.behave(answer('{}', 401));
    expect((await bench().lane.send(to, get())).status).toBe(401);
    expect(server.seen).toHaveLength(2);
  });

  it('a token refreshed by another process that is invalid too needs no refresh', async () => {
    server.behave(inTurn(answer('{}', 401), answer('{}', 401), answer('<ok/>')));
    const vault = new CountingVault();
    vault.renewAfter = async (_, generation) => ({
      token: new Secret(`at-${generation + 1}`),
      generation: generation + 1,
      ...(generation === 1 && { found: true }),
    });
    expect((await bench({ vault }).lane.send(to, get())).status).toBe(200);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer at-1',
      'Bearer at-2',
      'Bearer at-3',
    ]);
  });

  it('without a newer token in the vault, the reply is passed on at once', async () => {
    server.behave(answer('{}', 401));
    const vault = new CountingVault();
    vault.renewAfter = () => vault.accessToken();
    expect((await bench({ vault }).lane.send(to, get())).status).toBe(401);
    expect(server.seen).toHaveLength(1);
  });

  it('the failure of the vault is the failure of the call', async () => {
    server.behave(answer('{}', 401));
    const vault = new CountingVault();
    vault.renewAfter = () => Promise.reject(new Failure('consentNeeded'));
    expect(await codeOf(bench({ vault }).lane.send(to, get()))).toBe('consentNeeded');
  });

  it('the failure of the vault gives the connection back, however long the refusal is', async () => {
    server.behave(answer('x'.repeat(1_000_000), 401));
    const vault = new CountingVault();
    vault.renewAfter = () => Promise.reject(new Failure('consentNeeded'));
    const { lane, bulkhead } = bench({ vault });
    expect(await codeOf(lane.send(to, get()))).toBe('consentNeeded');
    await until('the connection', () => bulkhead.view.connections.used === 0);
  });
});

describe('a vault without a token', () => {
  it('lets nothing be sent or counted', async () => {
    const vault = new CountingVault();
    vault.accessToken = () => Promise.reject(new Failure('consentNeeded'));
    const clock = new HandClock();
    const rateLimiter = new RateLimiter({ clock, perMinute: 1 });
    const { lane } = bench({ vault, rateLimiter, clock, waitMs: 0 });
    for (let call = 0; call < 5; call += 1) expect(await codeOf(lane.send(to, get()))).toBe('consentNeeded');
    expect(server.seen).toEqual([]);
  });
});

describe('after 429 of the service', () => {
  it.each([
    ['GET', get()],
    ['POST', post()],
  ])('a %s waits as long as the service asks, then is sent again', async (_, request) => {
    server.behave(inTurn(answer('', 429, { 'retry-after': '7' }), answer('<ok/>')));
    const { lane, clock } = bench();
    const before = clock.now();
    expect((await lane.send(to, request)).status).toBe(200);
    expect(clock.now() - before).toBe(7_000);
  });

  it('a call fails at once if that is longer than it can wait, and so does the next', async () => {
    server.behave(answer('', 429, { 'retry-after': '40' }));
    const { lane, clock } = bench();
    const failed = { code: 'budgetExhausted', retryAfter: 40 };
    await expect(lane.send(to, get())).rejects.toMatchObject(failed);
    await expect(lane.send(to, get())).rejects.toMatchObject(failed);
    expect(server.seen).toHaveLength(1);
    expect(clock.now()).toBe(new HandClock().now());
  });

  it('a page after the first byte waits longer', async () => {
    server.behave(inTurn(answer('', 429, { 'retry-after': '40' }), answer('<ok/>')));
    expect((await bench().lane.send(to, get(), 'continued')).status).toBe(200);
  });

  it('another organisation is not delayed', async () => {
    server.behave(inTurn(answer('', 429, { 'retry-after': '40' }), answer('<ok/>')));
    const { lane } = bench();
    await codeOf(lane.send(to, get()));
    expect((await lane.send({ ...to, organisationId: 'org-2' }, get())).status).toBe(200);
  });

  it('a date is understood by the clock of the reply', async () => {
    const date = (seconds: number): string => new Date(Date.UTC(2031, 0, 1) + seconds * 1_000).toUTCString();
    server.behave(inTurn(answer('', 429, { date: date(0), 'retry-after': date(9) }), answer('<ok/>')));
    const { lane, clock } = bench();
    const before = clock.now();
    expect((await lane.send(to, get())).status).toBe(200);
    expect(clock.now() - before).toBe(9_000);
  });

  it('the bridge backs off if no time is given', async () => {
    server.behave(inTurn(answer('', 429), answer('<ok/>')));
    const { lane, clock } = bench();
    const before = clock.now();
    expect((await lane.send(to, get())).status).toBe(200);
    expect(clock.now() - before).toBeGreaterThanOrEqual(1_000);
    expect(clock.now() - before).toBeLessThanOrEqual(2_000);
  });

  it('a silent service is called twice, and by the next calls once', async () => {
    server.behave(answer('', 429, { 'retry-after': '1' }));
    const { lane } = bench();
    expect(await codeOf(lane.send(to, get()))).toBe('budgetExhausted');
    expect(server.seen).toHaveLength(2);
    expect(await codeOf(lane.send(to, get()))).toBe('budgetExhausted');
    expect(server.seen).toHaveLength(3);
  });
});

describe('after 429 of the service for too many calls at once', () => {
  const refusal = (seconds = 1): ReturnType<typeof answer> =>
    answer('', 429, { 'retry-after': String(seconds), 'x-rate-limit-problem': 'concurrent' });

  it.each([
    ['GET', get()],
    ['POST', post()],
  ])('a %s is sent again as often as its waiting time allows', async (_, request) => {
    server.behave(inTurn(refusal(), refusal(), refusal(), refusal(), answer('<ok/>')));
    const { lane, clock, bulkhead } = bench();
    const before = clock.now();
    expect((await lane.send(to, request)).status).toBe(200);
    expect(clock.now() - before).toBeGreaterThanOrEqual(4_000);
    expect(bulkhead.retries.take('a1')).toBe(true);
  });

  it('a call fails when its waiting time ends, and says when a retry makes sense', async () => {
    server.behave(refusal(2));
    const { lane, clock } = bench();
    const before = clock.now();
    await expect(lane.send(to, get())).rejects.toMatchObject({ code: 'budgetExhausted', retryAfter: 2 });
    expect(clock.now() - before).toBeLessThanOrEqual(25_000);
    expect(server.seen.length).toBeGreaterThan(2);
  });

  it('other calls of the account do not wait', async () => {
    server.behave(inTurn(refusal(40), answer('<ok/>')));
    const { lane, clock } = bench();
    const before = clock.now();
    expect(await codeOf(lane.send(to, get()))).toBe('budgetExhausted');
    expect((await lane.send(to, get())).status).toBe(200);
    expect(clock.now()).toBe(before);
  });

  it('a call is not sent again once its caller has gone', async () => {
    server.behave(refusal());
    const giving = new AbortController();
    const rateLimiter = new RateLimiter({
      clock: new HandClock(),
      perMinute: 60,
      timer: () => {
        giving.abort();
        return () => undefined;
      },
    });
    const { lane } = bench({ rateLimiter });
    expect(await codeOf(lane.send(to, get({ signal: giving.signal })))).toBe('upstreamUnavailable');
    expect(server.seen).toHaveLength(1);
  });

  it('a body that has left in part is not sent again', async () => {
    server.behave(inTurn(refusal(), answer('<ok/>')));
    let isFresh = true;
    const pieces = async function* (): AsyncIterable<Buffer> {
      isFresh = false;
      yield Buffer.from('<Client/>');
    };
    const bytes = {
      length: 9,
      pieces,
      get isFresh() {
        return isFresh;
      },
    };
    const request = post({ body: { contentType: 'text/xml', bytes } });
    expect(await codeOf(bench().lane.send(to, request))).toBe('budgetExhausted');
    expect(server.seen).toHaveLength(1);
  });
});

describe('the times of a call', () => {
  const open = ['open', 'closed'];
  const wait = ['waits', 'goes on'];
  const refusal = (problem: string): Behaviour =>
    answer('', 429, { 'retry-after': '1', 'x-rate-limit-problem': problem });

  it.each<[string, Behaviour, readonly string[]]>([
    ['an answer', answer('<ok/>'), open],
    ['no answer, twice', reset, [...open, ...open]],
    ['a minute that was used up', inTurn(refusal('minute'), answer('<ok/>')), [...open, ...wait, ...open]],
    ['too many at once', inTurn(refusal('concurrent'), answer('<ok/>')), [...open, ...wait, ...open]],
  ])('follow each of its requests and waits: %s', async (_what, behaviour, expected) => {
    server.behave(behaviour);
    const { lane, rateLimiter } = bench();
    await rateLimiter.acquire('org-1\nclient', 0); // from now on the key is known, and its calls leave at once
    const seen: string[] = [];
    const turn = (opened: number, waiting: number): void => {
      seen.push(opened === 0 ? (waiting > 0 ? 'waits' : 'goes on') : opened > 0 ? 'open' : 'closed');
    };
    await lane.send(to, get({ times: Object.assign(new Trace(), { turn }) })).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Failure);
    });
    expect(seen).toEqual(expected);
  });

  it('count those side by side once, and a wait only while no request is open', () => {
    const trace = new Trace();
    const turns = [
      [1, 0, 10],
      [1, 0, 12],
      [-1, 0, 15],
      [0, 1, 18],
      [-1, 0, 20],
      [0, -1, 50],
      [1, 0, 51],
      [-1, 0, 53],
    ] as const;
    for (const [opened, waiting, now] of turns) trace.turn(opened, waiting, now);
    expect([trace.upstreamMillis, trace.waitedMillis]).toEqual([12, 30]);
  });
});

describe('the place of a call among those in progress', () => {
  const LONG = 4 * 1024 * 1024;
  const givenUp = (): UpstreamRequest => {
    const giving = new AbortController();
    void until('it has left', () => server.seen.length > 0).then(() => {
      giving.abort();
    });
    return get({ signal: giving.signal });
  };
  const whole = async (lane: UpstreamClient): Promise<unknown> => read((await lane.send(to, get())).body);
  const refusing = new CountingVault();
  refusing.accessToken = () => Promise.reject(new Failure('consentNeeded'));

  it.each<
    [
      string,
      Behaviour,
      (lane: UpstreamClient) => Promise<unknown>,
      Partial<TransportLimits>?,
      Partial<UpstreamClientParts>?,
    ]
  >([
    ['after a short answer', answer('<ok/>'), whole],
    ['after a long answer', answer('x'.repeat(LONG)), whole],
    ['while nobody reads the answer', answer('x'.repeat(LONG)), (lane) => lane.send(to, get())],
    ['after a redirect', answer('', 302, { location: '/' }), (lane) => lane.send(to, get())],
    ['after an abort', silence, (lane) => lane.send(to, givenUp()), { lingerMs: 20 }],
    ['after a time-out', silence, (lane) => lane.send(to, get()), { answerMs: 50 }],
    ['after a reset', reset, (lane) => lane.send(to, post())],
    ['after an answer that was cut', cut, whole],
    ['after an answer that stalls', stall, whole, { stallMs: 50 }],
    ['without a token', answer('<ok/>'), (lane) => lane.send(to, get()), {}, { vault: refusing }],
    [
      'without a connection',
      answer('<ok/>'),
      (lane) => lane.send(to, post()),
      {},
      { roots: { standard: nobody, practice: nobody } },
    ],
  ])('is free %s', async (_, behaviour, call, limits = {}, parts = {}) => {
    const { clock, rateLimiter } = carried(1);
    server.behave(behaviour);
    const { lane } = bench({ ...parts, rateLimiter, clock }, limits);
    await call(lane).catch(() => undefined);
    await until('its place is free', () => rateLimiter.acquireAtOnce('org-1\nclient') !== undefined);
    expect(rateLimiter.acquireAtOnce('org-1\nclient')).toBeUndefined();
  });

  it('is taken until the whole answer has arrived', async () => {
    let end = (): void => undefined;
    server.behave((_, response) => {
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.write('<Response>');
      end = () => void response.end('</Response>');
    });
    const { clock, rateLimiter } = carried(1);
    const { lane } = bench({ rateLimiter, clock });
    const { body } = await lane.send(to, get());
    const next = lane.send(to, get());
    await settled();
    expect([server.seen.length, rateLimiter.use.waiting]).toEqual([1, 1]);
    server.behave(answer('<ok/>'));
    end();
    await read(body);
    expect((await next).status).toBe(200);
  });
});

describe('after 503 of the service', () => {
  it('a read with Retry-After is sent once more', async () => {
    server.behave(inTurn(answer('', 503, { 'retry-after': '0' }), answer('<ok/>')));
    expect((await bench().lane.send(to, get())).status).toBe(200);
  });

  it.each([
    ['a write', post(), { 'retry-after': '0' }],
    ['a read without Retry-After', get(), {}],
    ['a read with a longer wait than its patience', get(), { 'retry-after': '26' }],
  ])('%s is not repeated', async (_, request, headers: Record<string, string>) => {
    server.behave(answer('', 503, headers));
    expect((await bench().lane.send(to, request)).status).toBe(503);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [{ 'retry-after': '7' }, { code: 'upstreamUnavailable', retryAfter: 7 }],
    [{ 'retry-after': 'Sun, 22 Nov 2026 21:00:00 GMT' }, { code: 'upstreamUnavailable' }],
    [{}, { status: 503 }],
  ] as const)('a write was not carried out where the profile says so of %j', async (headers, expected) => {
    server.behave(answer('', 503, headers));
    const profile = { ...carried().profile, writes: { retryAfterMeansNotDone: true } };
    const outcome = await bench({ profile })
      .lane.send(to, post())
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject(expected);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a connection that fails', () => {
  it.each([
    ['GET', get()],
    ['POST', post()],
  ])('before anything was sent: a %s is unavailable, and nothing is counted', async (_, request) => {
    const clock = new HandClock();
    const rateLimiter = new RateLimiter({ clock, perMinute: 1 });
    const { lane } = bench({ roots: { standard: nobody, practice: nobody }, rateLimiter, clock, waitMs: 0 });
    expect(await codeOf(lane.send(to, request))).toBe('upstreamUnavailable');
    expect(await codeOf(lane.send(to, request))).toBe('upstreamUnavailable');
  });

  it('after a write was sent: the outcome is unknown, and it was sent once', async () => {
    server.behave(reset);
    expect(await codeOf(bench().lane.send(to, post()))).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(1);
  });

  it('as a write is sent on an idle connection: the outcome is unknown, and it was sent once', async () => {
    server.behave(inTurn(answer('<ok/>'), reset, answer('<ok/>')));
    const { lane } = bench();
    await read((await lane.send(to, get())).body);
    expect(server.sockets.size).toBe(1);
    expect(await codeOf(lane.send(to, post()))).toBe('outcomeUnknown');
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('while it was idle: the next write uses a new one, and is sent once', async () => {
    const { lane } = bench();
    await read((await lane.send(to, get())).body);
    for (const socket of server.sockets) socket.destroy();
    await until('the connection to be gone', () => server.sockets.size === 0);
    await until(
      'a write that arrives',
      async () => (await codeOf(lane.send(to, post()))) !== 'outcomeUnknown',
    );
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('after a read was sent: it is sent once more', async () => {
    server.behave(inTurn(reset, answer('<ok/>')));
    expect((await bench().lane.send(to, get())).status).toBe(200);
    expect(server.seen).toHaveLength(2);
  });

  it('after a read was sent twice: it is unavailable', async () => {
    server.behave(reset);
    expect(await codeOf(bench().lane.send(to, get()))).toBe('upstreamUnavailable');
    expect(server.seen).toHaveLength(2);
  });

  it('after a read was sent twice: it is unavailable, even if other calls have earned a third attempt', async () => {
    const { lane } = bench();
    const beside = Array.from({ length: 10 }, () => get({ segments: ['client.api', 'beside'] }));
    let arrived = 0;
    server.behave((request, response, nth) => {
      if (request.url?.endsWith('beside') === true) answer('<ok/>')(request, response, nth);
      else if ((arrived += 1) !== 2) reset(request, response, nth);
      else
        void Promise.all(beside.map(async (other) => read((await lane.send(to, other)).body))).finally(() => {
          reset(request, response, nth);
        });
    });
    expect(await codeOf(lane.send(to, get()))).toBe('upstreamUnavailable');
    expect([arrived, server.seen.length]).toEqual([2, 12]);
  });

  it('is not tried again for a caller who left in between', async () => {
    server.behave(reset);
    const caller = new AbortController();
    const { lane, bulkhead } = bench({ resendMs: 3_600_000 });
    const call = lane.send(to, get({ signal: caller.signal }));
    const end = expect(call).rejects.toMatchObject({
      code: 'upstreamUnavailable',
      text: 'The call was given up',
    });
    await until('the reset', () => server.seen.length === 1 && bulkhead.view.connections.used === 0);
    await settled();
    caller.abort();
    await end;
    expect(server.seen).toHaveLength(1);
  });

  it('counts in the limit if the request was sent, and not if the service was down', async () => {
    // Half of them at once.
    const rateLimiter = new RateLimiter({ clock: new HandClock(), perMinute: 4 });
    const away = bench(
      { rateLimiter, waitMs: 0, roots: { standard: nobody, practice: nobody } },
      {},
      nobody,
    ).lane;
    for (let nth = 0; nth < 2; nth += 1)
      expect(await codeOf(away.send(to, post()))).toBe('upstreamUnavailable');
    server.behave(reset);
    const { lane } = bench({ rateLimiter, waitMs: 0 });
    for (let nth = 0; nth < 2; nth += 1) expect(await codeOf(lane.send(to, post()))).toBe('outcomeUnknown');
    expect(await codeOf(lane.send(to, post()))).toBe('budgetExhausted');
    expect(server.seen).toHaveLength(2);
  });

  it('for all calls: a tenth of them is sent once more', async () => {
    server.behave(reset);
    const { lane } = bench({ rateLimiter: new RateLimiter({ clock: new HandClock(), perMinute: 1e6 }) });
    const calls = 300;
    for (let call = 0; call < calls; call += 1)
      await codeOf(lane.send({ ...to, accountId: `a${call}` }, get()));
    expect(server.seen).toHaveLength(calls * 1.1);
  });

  it('with a reply that is not HTTP: a read fails, a write is unknown', async () => {
    server.behave((request) => {
      request.socket.end('SSH-2.0-nonsense\r\n\r\n');
    });
    expect(await codeOf(bench().lane.send(to, get()))).toBe('upstreamAnswer');
    expect(await codeOf(bench().lane.send(to, post()))).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(2);
  });
});

describe('a token that cannot be in a header', () => {
  it('lets nothing be sent, and keeps neither a connection nor a permit', async () => {
    const clock = new HandClock();
    const { lane, vault, bulkhead } = bench({
      rateLimiter: new RateLimiter({ clock, perMinute: 1 }),
      clock,
      waitMs: 0,
    });
    vault.accessToken = async () => ({ token: new Secret('at\r\nX: 1'), generation: 1 });
    for (let call = 0; call < 200; call += 1) expect(await codeOf(lane.send(to, get()))).toBe('badRequest');
    expect(bulkhead.view.connections.used).toBe(0);
    expect(server.seen).toEqual([]);
  });
});

describe('a service that does not answer', () => {
  it('makes a read time out and a write unknown, each sent once', async () => {
    server.behave(silence);
    // Time enough for a request to arrive before it is given up, however busy the machine is.
    const { lane } = bench({}, { answerMs: SECOND });
    expect(await codeOf(lane.send(to, get()))).toBe('upstreamTimeout');
    expect(await codeOf(lane.send(to, post()))).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(2);
  });

  it('keeps nothing of a call that was abandoned while it waited for a connection', async () => {
    server.behave(inTurn(silence, answer('<ok/>')));
    const { lane } = bench({}, { connections: 1, lingerMs: 0 });
    const [first, second] = [new AbortController(), new AbortController()];
    const out = codeOf(lane.send(to, post({ signal: first.signal })));
    await until('the first to arrive', () => server.seen.length === 1);
    const waiting = codeOf(lane.send(to, post({ body: '<Second/>', signal: second.signal })));
    await new Promise((resolve) => setImmediate(resolve));
    second.abort();
    expect(await waiting).toBe('upstreamUnavailable');
    first.abort();
    expect(await out).toBe('outcomeUnknown');
    await read((await lane.send(to, post({ body: '<Third/>' }))).body);
    expect(server.seen.map(({ body }) => body)).toEqual(['<Client>Ã©</Client>', '<Third/>']);
  });
});

describe('a reply body from V3', () => {
  it('that is cut fails while it is read: a read as unusable, a write as unknown', async () => {
    server.behave(cut);
    const { lane } = bench();
    expect(await codeOf(read((await lane.send(to, get())).body))).toBe('upstreamAnswer');
    expect(await codeOf(read((await lane.send(to, post())).body))).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(2);
  });

  it('that stalls fails while it is read', async () => {
    server.behave(stall);
    const { lane } = bench({}, { stallMs: 50 });
    expect(await codeOf(read((await lane.send(to, get())).body))).toBe('upstreamTimeout');
  });

  it('that is not read does no harm', async () => {
    server.behave(cut);
    await bench().lane.send(to, get());
    await until('the connection to be cut', () => server.closed() > 0);
    server.behave(answer('<ok/>'));
    expect((await bench().lane.send(to, get())).status).toBe(200);
  });

  it('arrives only as fast as it is read, and completely', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    const pieces = 1_000;
    let written = 0;
    server.behave((_, response) => {
      response.writeHead(200, { 'content-type': 'text/xml' });
      const write = (): void => {
        while (written < pieces) {
          written += 1;
          if (!response.write(piece)) {
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
    });
    const { body } = await bench({}, { stallMs: SECOND }).lane.send(to, get());
    const iterator = body[Symbol.asyncIterator]();
    const first = await iterator.next();
    let bytes = first.done === true ? 0 : first.value.length;
    let last = -1;
    // Longer than the time for a stall: that does not run while nobody reads.
    await until('the writer to be held up', async () => {
      const same = last === written;
      last = written;
      await new Promise((resolve) => setTimeout(resolve, 1.2 * SECOND));
      return same;
    });
    expect(written).toBeLessThan(pieces / 2);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      bytes += next.value.length;
    expect(bytes).toBe(pieces * piece.length);
  });

  it('that is abandoned in the middle frees its connection', async () => {
    server.behave(stall);
    const { body } = await bench().lane.send(to, get());
    const iterator = body[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
    await until('the connection to close', () => server.closed() > 0);
  });
});

describe('an unusable reply of V3', () => {
  const elsewhere = answer('', 302, { location: '/elsewhere' });
  const packed: typeof elsewhere = (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('<ok/>'));
  };

  it.each([
    ['a redirect', elsewhere],
    ['a compressed body', packed],
  ])('such as %s: a read fails, a write is unknown, nothing is followed', async (_, behaviour) => {
    server.behave(behaviour);
    const { lane } = bench();
    expect(await codeOf(lane.send(to, get()))).toBe('upstreamAnswer');
    expect(await codeOf(lane.send(to, post()))).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(2);
  });
});

describe('a caller who leaves', () => {
  it('before anything was sent cancels the request', async () => {
    const signal = AbortSignal.abort();
    expect(await codeOf(bench().lane.send(to, post({ signal })))).toBe('upstreamUnavailable');
    expect(server.seen).toEqual([]);
  });

  it.each([
    ['read', get(), 'upstreamUnavailable'],
    ['write', post(), 'outcomeUnknown'],
  ])('during a %s ends it there', async (_, request, code) => {
    server.behave(silence);
    const gone = new AbortController();
    const call = codeOf(bench().lane.send(to, { ...request, signal: gone.signal }));
    await until('the request to arrive', () => server.seen.length === 1);
    gone.abort();
    expect(await call).toBe(code);
    await until('the connection to close', () => server.closed() > 0);
  });

  it('while the reply is read ends it there', async () => {
    server.behave(stall);
    const gone = new AbortController();
    const { body } = await bench().lane.send(to, get({ signal: gone.signal }));
    const reading = codeOf(read(body));
    gone.abort();
    expect(await reading).toBe('upstreamUnavailable');
  });

  it('while waiting for the rate limit leaves the queue', async () => {
    const clock = new HandClock();
    const rateLimiter = new RateLimiter({ clock, perMinute: 1 });
    const { lane } = bench({ rateLimiter, clock, waitMs: 120_000 });
    await lane.send(to, get());
    const gone = new AbortController();
    const call = codeOf(lane.send(to, get({ signal: gone.signal })));
    gone.abort();
    expect(await call).toBe('upstreamUnavailable');
    expect(server.seen).toHaveLength(1);
  });
});

describe('a document of V3', () => {
  const { signal } = new AbortController();

  it('is fetched by its own address below the root, with token and organisation', async () => {
    server.behave(answer('%PDF', 200, { 'content-type': 'application/pdf' }));
    const got = await bench().lane.fetch(to, `${server.origin}/xml/3.0/files/a%20b?v=1`, signal);
    expect([got.contentType, (await read(got.body)).toString()]).toEqual(['application/pdf', '%PDF']);
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: '/xml/3.0/files/a%20b?v=1',
      headers: { authorization: 'Bearer at-1', 'account-id': 'org-1' },
    });
  });

  it.each([
    (origin: string) => `${origin}/other/files/1`,
    (origin: string) => `${origin}/xml/3.0`,
    (origin: string) => `${origin}/xml/3.0x/files/1`,
    (origin: string) => `${origin}/xml/3.0/../../connections`,
    (origin: string) => `${origin}/xml/3.0/%2e%2e/%2E%2E/connections`,
    (origin: string) => `${origin}/xml/3.0/..\\..\\connections`,
    (origin: string) => `${origin.replace('http:', 'https:')}/xml/3.0/files/1`,
    (origin: string) => `${origin.replace('127.0.0.1', 'localhost')}/xml/3.0/files/1`,
    (origin: string) => `${origin.replace('//', '//user:word@')}/xml/3.0/files/1`,
    (origin: string) => `http://evil.example/@${origin}/xml/3.0/files/1`,
    (origin: string) => `${origin}@evil.example/xml/3.0/files/1`,
    (origin: string) => `${origin}/xml/3.0/files/1\r\nx: y`,
    () => '/xml/3.0/files/1',
    () => 'file:///etc/passwd',
    () => '',
  ])('is never fetched from anywhere else: %s', async (addressOn) => {
    expect(await codeOf(bench().lane.fetch(to, addressOn(server.origin), signal))).toBe('badRequest');
    expect(server.seen).toEqual([]);
  });

  it('is not fetched from the target of a redirect', async () => {
    server.behave(answer('', 302, { location: '/xml/3.0/files/2' }));
    expect(await codeOf(bench().lane.fetch(to, `${server.origin}/xml/3.0/files/1`, signal))).toBe(
      'upstreamAnswer',
    );
    expect(server.seen).toHaveLength(1);
  });
});

describe('the limit of requests', () => {
  /** One request a minute, and a moment after it left it is given up. */
  function one(
    limits: Partial<TransportLimits> = {},
  ): Bench & { readonly call: (request?: UpstreamRequest) => Promise<unknown> } {
    const clock = new HandClock();
    const rateLimiter = new RateLimiter({ clock, perMinute: 1, latestHandling: 200_000 });
    const made = bench({ rateLimiter, clock, waitMs: 0 }, limits);
    return { ...made, clock, call: (request = post()) => codeOf(made.lane.send(to, request)) };
  }

  it('counts an answered request for a minute from its reply', async () => {
    server.behave(answer('<ok/>'));
    const { call, clock } = one();
    expect(await call()).toMatchObject({ resolved: { status: 200 } });
    clock.advance(59_999);
    expect(await call()).toBe('budgetExhausted');
    clock.advance(1);
    expect(await call()).toMatchObject({ resolved: { status: 200 } });
    expect(server.seen).toHaveLength(2);
  });

  it('counts a request whose connection was closed for a minute from then on', async () => {
    server.behave(reset);
    const { call, clock } = one();
    expect(await call()).toBe('outcomeUnknown');
    clock.advance(59_999);
    expect(await call()).toBe('budgetExhausted');
    clock.advance(1);
    expect(await call()).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(2);
  });

  it('counts a request without a timely reply as long as it may still be handled', async () => {
    server.behave(silence);
    const { call, clock } = one({ answerMs: SECOND });
    expect(await call()).toBe('outcomeUnknown');
    clock.advance(259_999);
    expect(await call()).toBe('budgetExhausted');
    clock.advance(1);
    expect(await call()).toBe('outcomeUnknown');
  });

  it('counts a request that the caller abandoned as long as it may still be handled', async () => {
    server.behave(silence);
    const { call, clock } = one({ lingerMs: 0 });
    const gone = new AbortController();
    const out = call(post({ signal: gone.signal }));
    await until('the request to arrive', () => server.seen.length === 1);
    gone.abort();
    expect(await out).toBe('outcomeUnknown');
    await until('the connection to be closed', () => server.sockets.size === 0);
    clock.advance(259_999);
    expect(await call()).toBe('budgetExhausted');
    clock.advance(1);
    server.behave(answer('<ok/>'));
    expect(await call()).toMatchObject({ resolved: { status: 200 } });
  });

  it('waits for the reply after the caller has left, and counts for a minute from it', async () => {
    const answers: (() => void)[] = [];
    server.behave((request, response, nth) => {
      answers.push(() => {
        answer('<ok/>')(request, response, nth);
      });
    });
    const { call, clock, rateLimiter } = one();
    const gone = new AbortController();
    const out = call(post({ signal: gone.signal }));
    await until('the request to arrive', () => answers.length === 1);
    gone.abort();
    expect(await out).toBe('outcomeUnknown');
    expect(rateLimiter.countsFor).toBe(260_000);
    answers[0]?.();
    await until('the answer', () => rateLimiter.countsFor !== 260_000);
    expect(rateLimiter.countsFor).toBe(60_000);
    clock.advance(60_000);
    server.behave(answer('<ok/>'));
    expect(await call()).toMatchObject({ resolved: { status: 200 } });
  });

  it('lets no request be sent on a permit that expired while the token was fetched', async () => {
    let forfeitedAt = -Infinity;
    const grants = [1, 0];
    const pool: PermitPool = {
      membership: { state: 'shared' },
      monotonic: () => 0,
      get forfeitedAt() {
        return forfeitedAt;
      },
      isOpen: () => false,
      keepsFor: () => 0,
      exchange: async () => ({
        granted: grants.shift() ?? 0,
        blockedFor: 0,
        idle: 0,
        next: 60_000,
        ago: 0,
        foreign: [60_000],
      }),
      block: () => undefined,
      begin: () => undefined,
      serves: () => undefined,
    };
    const rateLimiter = new RateLimiter({ clock: new HandClock(), perMinute: 1, pool });
    const vault = new CountingVault();
    const token = vault.accessToken.bind(vault);
    vault.accessToken = () => {
      forfeitedAt = 0;
      return token();
    };
    expect(await codeOf(bench({ vault, rateLimiter }).lane.send(to, get()))).toBe('budgetExhausted');
    expect([vault.asked, server.seen.length]).toEqual([1, 0]);
    rateLimiter.close();
  });
});
