import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { PassThrough } from '../../src/proxy/pass-through.ts';
import { BodyReader } from '../../src/proxy/call/body-reader.ts';
import { Failure } from '../../src/lib/failure.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { V1Endpoint } from '../../src/upstream/model.ts';
import { V1Client } from '../../src/upstream/v1.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import type { Bulkhead } from '../../src/upstream/transport/bulkhead.ts';
import { callOf } from '../proxy/world.ts';
import { bulkheadTo } from './bench.ts';
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
  type BadServer,
} from './server.ts';
import { until } from '../support/clock.ts';

let server: BadServer;
let bulkhead: Bulkhead;
let lane: V1Client;

beforeEach(async () => {
  server = await badServer();
  bulkhead = bulkheadTo(server.origin, { transport: new Transport({ answerMs: 2_000, stallMs: 2_000 }) });
  lane = laneTo(`${server.origin}/v1/`);
});

afterEach(async () => {
  await bulkhead.close(0);
  await server.close();
});

const laneTo = (root: string): V1Client => new V1Client({ root, bulkhead, resendMs: 1 });

type Pass = Parameters<V1Endpoint['pass']>[0];

const pass = (target: string, overrides: Partial<Pass> = {}): Pass => ({
  verb: 'GET',
  target: new Secret(target),
  contentType: undefined,
  accept: undefined,
  body: undefined,
  signal: new AbortController().signal,
  ...overrides,
});

const KEYS = 'apiKey=CANARYAPIKEY&accountKey=CANARYACCOUNT';

describe('a call passed through to V1', () => {
  it.each(['Q25008%2f2', '24%2FA', '24/A', 'J%20%2F%E6%97%A5'])(
    'keeps the number %s unchanged',
    async (number) => {
      await lane.pass(pass(`/quote.api/get/${number}?apikey=1`));
      expect(server.seen[0]?.url).toBe(`/v1/quote.api/get/${number}?apikey=1`);
    },
  );

  it('keeps path, query and bytes unchanged, and two of the headers', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x3c, 0x61, 0x2f, 0x3e, 0x00, 0xff, 0x0d, 0x0a]);
    const target = `/client.api/add/?AccountKey=a+b&x=%e9%2F..%2f&apikey=&&y`;
    await lane.pass(
      pass(target, {
        verb: 'POST',
        body: bytes,
        contentType: 'text/plain; charset=utf-16',
        accept: '*/*;q=.1',
      }),
    );
    expect(server.seen).toEqual([
      {
        method: 'POST',
        url: `/v1${target}`,
        body: bytes.toString('latin1'),
        headers: {
          host: server.origin.slice('http://'.length),
          connection: 'keep-alive',
          'content-type': 'text/plain; charset=utf-16',
          accept: '*/*;q=.1',
          'accept-encoding': 'identity',
          'content-length': '11',
        },
      },
    ]);
  });

  it('has no header if the caller sent none', async () => {
    await lane.pass(pass(`/client.api/list?${KEYS}`));
    expect(Object.keys(server.seen[0]?.headers ?? {}).sort()).toEqual([
      'accept-encoding',
      'connection',
      'host',
    ]);
  });

  it('passes on the reply byte by byte, whatever its status', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x3c, 0x0d, 0x0a]);
    server.behave((_, response) => {
      response.writeHead(500, { 'content-type': 'text/html', 'x-more': 'yes' }).end(bytes);
    });
    const got = await lane.pass(pass(`/client.api/list?${KEYS}`));
    expect([got.status, got.contentType, got.headers['x-more']]).toEqual([500, 'text/html', 'yes']);
    expect(await read(got.body)).toEqual(bytes);
  });

  it('frees the connection after a refusal, however long that is', async () => {
    server.behave(answer('x'.repeat(1_000_000), 401));
    const refused = (): Promise<never> => Promise.reject(new Failure('keysRefused'));
    const passThrough = new PassThrough(lane, new BodyReader());
    const reply = passThrough.serve(callOf('GET client.api/list'), { accepted: undefined, refused });
    expect(await codeOf(reply)).toBe('keysRefused');
    await until('the connection', () => bulkhead.view.connections.used === 0);
  });

  it.each([
    '',
    'client.api/list',
    '//evil.example/x',
    '/client.api//list',
    '/../v2/x',
    '/client.api/..',
    '/./x',
    '/%2e%2e/x',
    '/%252e%252e/x',
    '/.%2E/x',
    '/a%2fb',
    '/quote.api/get%2f1',
    '/quote.api/get/Q1%2f..',
    '/quote.api/get/Q1%2f.x',
    '/quote.api/get/Q1%2f%2fx',
    '/quote.api/get/Q1%2f%E2%80%A4%E2%80%A4%2fx',
    '/quote.api/get/Q1%2fx%EF%BC%8F..%EF%BC%8Fx',
    '/quote.api/get/..%2f1',
    '/quote.api/get/Q1%252f1',
    '/a%5cb',
    '/a%252fb',
    '/a\\b',
    '/a%00b',
    '/a%0d%0ab',
    '/a b',
    '/a\r\nx: y',
    '/a#b',
    '/é',
    '/%ff',
    '/%zz',
    '/a?b c',
    '/a?\u0000',
  ])('to %j is refused before anything is sent', async (target) => {
    expect(await codeOf(lane.pass(pass(target)))).toBe('badRequest');
    expect(server.seen).toEqual([]);
  });

  it.each(['a\r\nb: c', 'a\0', 'ü'])('with the header value %j is refused', async (contentType) => {
    expect(await codeOf(lane.pass(pass('/a', { contentType })))).toBe('badRequest');
    expect(await codeOf(lane.pass(pass('/a', { accept: contentType })))).toBe('badRequest');
    expect(server.seen).toEqual([]);
  });

  it('of a write whose reply was lost has an unknown outcome and was sent once', async () => {
    const write = { verb: 'POST', body: Buffer.from('<Client/>') };
    server.behave(reset);
    expect(await codeOf(lane.pass(pass('/client.api/add', write)))).toBe('outcomeUnknown');
    server.behave(cut);
    expect(await codeOf(read((await lane.pass(pass('/client.api/add', write))).body))).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(2);
  });

  it('that only reads is sent once more', async () => {
    server.behave(inTurn(reset, answer('<ok/>')));
    expect((await lane.pass(pass('/client.api/list'))).status).toBe(200);
    expect(server.seen).toHaveLength(2);
  });

  it('times out, is unavailable or unusable like any other', async () => {
    server.behave(silence);
    const slow = new Transport({ answerMs: 30, stallMs: 30 });
    const impatient = new V1Client({
      root: server.origin,
      bulkhead: bulkheadTo(server.origin, { transport: slow }),
    });
    expect(await codeOf(impatient.pass(pass('/a')))).toBe('upstreamTimeout');
    await slow.close(0);
    expect(await codeOf(laneTo(nobody).pass(pass('/a', { verb: 'PUT' })))).toBe('upstreamUnavailable');
    server.behave(answer('', 301, { location: 'http://evil.example/' }));
    expect(await codeOf(lane.pass(pass('/a')))).toBe('upstreamAnswer');
  });

  it('never shows a key in its failure', async () => {
    server.behave(reset);
    const target = `/client.api/list?${KEYS}`;
    const calls = [
      lane.pass(pass(target)),
      lane.pass(pass(target, { verb: 'POST' })),
      lane.pass(pass(`${target} `)),
      laneTo(nobody).pass(pass(target)),
      lane.fetch(new Secret(`http://evil.example/?${KEYS}`), new AbortController().signal),
    ];
    const ends = await Promise.allSettled(calls);
    expect(ends.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
    expect(inspect(ends, { depth: 20, showHidden: true })).not.toContain('CANARY');
  });
});

describe("the bridge's own read of V1", () => {
  const { signal } = new AbortController();

  it('is sent below the root of V1', async () => {
    await lane.get(new Secret(`/uuid.api/maps?${KEYS}`), signal);
    expect(server.seen[0]).toMatchObject({ method: 'GET', url: `/v1/uuid.api/maps?${KEYS}` });
  });

  it('fetches the files V1 names, and none from other origins', async () => {
    server.behave(answer('ID,UUID', 200, { 'content-type': 'text/csv' }));
    const got = await lane.fetch(new Secret(`${server.origin}/v1/files/map.csv?t=1`), signal);
    expect((await read(got.body)).toString()).toBe('ID,UUID');
    for (const url of [
      `${server.origin}/other`,
      'http://evil.example/v1/files/map.csv',
      `${server.origin}/v1/../x`,
    ])
      expect(await codeOf(lane.fetch(new Secret(url), signal))).toBe('badRequest');
    expect(server.seen).toHaveLength(1);
  });
});

describe('an upstream URL', () => {
  it.each(['', 'ftp://x/', 'http://user:pw@x/', 'http://x/?a=1', 'http://x/#a'])(
    'such as %j is refused, without quoting it',
    (root) => {
      expect(() => laneTo(root)).toThrow(/^an upstream root /);
    },
  );
});
