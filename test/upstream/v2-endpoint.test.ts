import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import { Spellings } from '../../src/upstream/spellings.ts';
import { UpstreamClient, type UpstreamClientParts } from '../../src/upstream/client.ts';
import type { Bulkhead } from '../../src/upstream/transport/bulkhead.ts';
import { bulkheadTo, carried } from './bench.ts';
import { answer, badServer, codeOf, inTurn, read, reset, type BadServer, type Behaviour } from './server.ts';
import { HandClock } from '../support/clock.ts';

const to = {
  accountId: 'a1',
  product: 'standard',
  application: 'default',
  grantId: 'g',
  organisationId: 'org-1',
} as const;
const json = { 'content-type': 'application/json; charset=utf-8' };

let server: BadServer;
let bulkheads: Bulkhead[];

beforeEach(async () => {
  server = await badServer(answer('{"data":[]}', 200, json));
  bulkheads = [];
});

afterEach(async () => {
  await Promise.all(bulkheads.map((bulkhead) => bulkhead.close(0)));
  await server.close();
});

function parts(): UpstreamClientParts & ReturnType<typeof carried> {
  const bulkhead = bulkheadTo(server.origin);
  bulkheads.push(bulkhead);
  const root = `${server.origin}/api/v2/`;
  return {
    version: 'v2',
    roots: { standard: root, practice: root },
    bulkheads: { standard: bulkhead, practice: bulkhead },
    ...carried(),
  };
}

const lane = (changes: Partial<UpstreamClientParts> = {}): UpstreamClient =>
  new UpstreamClient({ ...parts(), ...changes });

const get = (...segments: readonly string[]): UpstreamRequest => ({
  verb: 'GET',
  segments,
  query: [],
  signal: new AbortController().signal,
});

const post = (...segments: readonly string[]): UpstreamRequest => ({
  ...get(...segments),
  verb: 'POST',
  body: '{"name":"é"}',
});

/** Answers 404 to everything but these paths below the root. */
const only =
  (...paths: readonly string[]): Behaviour =>
  (request, response, nth) => {
    const known = paths.some((path) => request.url === `/api/v2/${path}`);
    answer(known ? '{"data":[]}' : '{"message":"no"}', known ? 200 : 404, json)(request, response, nth);
  };

const paths = (): readonly string[] => server.seen.map(({ url }) => url.replace('/api/v2/', ''));

describe('a request to V2', () => {
  it('has token, organisation and accepted types, and nothing of the bridge', async () => {
    const got = await lane().send(to, {
      ...get('jobs', 'Q25008', 'né&w'),
      query: [
        ['page', '2'],
        ['name', 'A&B=C é+'],
      ],
    });
    expect([got.status, (await read(got.body)).toString()]).toEqual([200, '{"data":[]}']);
    expect(server.seen).toEqual([
      {
        method: 'GET',
        url: '/api/v2/jobs/Q25008/n%C3%A9%26w?page=2&name=A%26B%3DC%20%C3%A9%2B',
        body: '',
        headers: {
          host: server.origin.slice('http://'.length),
          connection: 'keep-alive',
          accept: 'application/json',
          'accept-encoding': 'identity',
          authorization: 'Bearer at-1',
          'account-id': 'org-1',
        },
      },
    ]);
  });

  it('writes JSON itself, in UTF-8', async () => {
    await lane().send(to, post('clients'));
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: Buffer.from('{"name":"é"}').toString('latin1'),
      headers: { 'content-type': 'application/json', 'content-length': '13' },
    });
  });

  it('sends a form as it was written', async () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    const contentType = 'multipart/form-data; boundary="b"';
    await lane().send(to, { ...post('documents'), body: { contentType, bytes } });
    expect(server.seen[0]).toMatchObject({
      body: bytes.toString('latin1'),
      headers: { 'content-type': contentType },
    });
  });

  it.each([
    ['no segment', get()],
    ['a segment that climbs', get('clients', '..')],
    ['a segment that climbs behind a slash', get('jobs', '24/../tasks')],
    ['a number that begins with dots', get('jobs', '../2')],
    [
      'a content type that begins another header',
      {
        ...post('documents'),
        body: { contentType: 'a\r\nx-evil: 1', bytes: Buffer.from('') },
      } as const,
    ],
  ])('with %s is refused before anything is sent', async (_, request) => {
    expect(await codeOf(lane().send(to, request))).toBe('badRequest');
    expect(server.seen).toEqual([]);
  });

  it('is sent once more with a newer token after 401, even if it is a write', async () => {
    server.behave(inTurn(answer('{}', 401, json), answer('{}', 201, json)));
    expect((await lane().send(to, post('clients'))).status).toBe(201);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer at-1', 'Bearer at-2']);
  });

  it('that is a write has an unknown outcome if it is cut, and was sent once', async () => {
    server.behave(reset);
    expect(await codeOf(lane().send(to, post('clients')))).toBe('outcomeUnknown');
    expect(server.seen).toHaveLength(1);
  });

  it('shares its limit with V3, and any pause the service asks for', async () => {
    const clock = new HandClock();
    const common = {
      ...parts(),
      clock,
      rateLimiter: new RateLimiter({ clock, perMinute: 2, burst: 2 }),
      waitMs: 0,
    };
    const v2 = new UpstreamClient(common);
    const roots = { standard: server.origin, practice: server.origin };
    const v3 = new UpstreamClient({ ...common, version: 'v3', roots });
    const xml = { verb: 'GET', segments: ['x'], query: [], signal: get().signal };
    await v2.send(to, get('clients'));
    await v3.send(to, xml);
    expect(await codeOf(v2.send(to, get('clients')))).toBe('budgetExhausted');
    expect(await codeOf(v3.send(to, xml))).toBe('budgetExhausted');
    expect(server.seen).toHaveLength(2);
    clock.advance(61_000);
    server.behave(answer('', 429, { 'retry-after': '40' }));
    expect(await codeOf(v2.send(to, get('clients')))).toBe('budgetExhausted');
    expect(await codeOf(v3.send(to, xml))).toBe('budgetExhausted');
    expect(server.seen).toHaveLength(3);
  });
});

describe('a collection with several spellings', () => {
  it('is tried under each in turn, and found at once the next time', async () => {
    server.behave(only('clientTypes'));
    const v2 = lane();
    expect((await v2.send(to, get('client-types'))).status).toBe(200);
    expect((await v2.send(to, get('client-types'))).status).toBe(200);
    expect(paths()).toEqual(['client-types', 'clienttypes', 'clientTypes', 'clientTypes']);
  });

  it('that is read under one spelling and written under another is read where it exists', async () => {
    server.behave(inTurn(answer('{}', 405, json), answer('{"data":[]}', 200, json)));
    expect((await lane().send(to, get('job-status'))).status).toBe(200);
    expect(paths()).toEqual(['job-status', 'job-statuses']);
  });

  it('that exists under one spelling only keeps the reply that the record is missing', async () => {
    server.behave(inTurn(answer('{"message":"no such status"}', 404, json), answer('', 405)));
    const got = await lane().send(to, get('job-status', 'x'));
    expect([got.status, (await read(got.body)).toString()]).toEqual([404, '{"message":"no such status"}']);
    expect(paths()).toEqual(['job-status/x', 'job-statuses/x']);
  });

  it('is learned separately for each organisation', async () => {
    server.behave(only('job-statuses'));
    const v2 = lane();
    await v2.send(to, get('job-status'));
    await v2.send({ ...to, organisationId: 'org-2' }, get('job-status'));
    expect(paths()).toEqual(['job-status', 'job-statuses', 'job-status', 'job-statuses']);
  });

  it('that is nowhere is 404, and every spelling is tried again the next time', async () => {
    server.behave(only());
    const v2 = lane();
    expect((await v2.send(to, get('job-status'))).status).toBe(404);
    expect((await v2.send(to, get('job-status'))).status).toBe(404);
    expect(paths()).toEqual(['job-status', 'job-statuses', 'job-status', 'job-statuses']);
  });

  it('is tried again if the service has changed', async () => {
    const v2 = lane();
    server.behave(only('job-statuses'));
    await v2.send(to, get('job-status'));
    server.behave(only('job-status'));
    expect((await v2.send(to, get('job-status'))).status).toBe(200);
    expect(paths().slice(2)).toEqual(['job-statuses', 'job-status']);
  });

  it('needs one request for a missing record once its spelling has worked', async () => {
    server.behave(only('client-types'));
    const v2 = lane();
    await v2.send(to, get('client-types', 'u1'));
    await v2.send(to, get('client-types'));
    await v2.send(to, get('client-types', 'u1'));
    expect(paths()).toEqual([
      'client-types/u1',
      'clienttypes/u1',
      'clientTypes/u1',
      'client-types',
      'client-types/u1',
    ]);
  });

  it('is not tried by a write, which uses the spelling of the last successful read', async () => {
    server.behave(only('job-statuses'));
    const v2 = lane();
    expect((await v2.send(to, post('job-status'))).status).toBe(404);
    expect(paths()).toEqual(['job-status']);
    await v2.send(to, get('job-status'));
    expect((await v2.send(to, post('job-status'))).status).toBe(200);
    expect(paths().slice(3)).toEqual(['job-statuses']);
  });

  it.each([401, 403, 500, 503])('is not tried again after %i', async (status) => {
    server.behave(answer('{}', status, json));
    expect((await lane().send(to, get('job-status', 'x'))).status).toBe(status);
    expect(new Set(paths())).toEqual(new Set(['job-status/x']));
  });

  it('with one spelling only is requested once', async () => {
    server.behave(only());
    expect((await lane().send(to, get('clients'))).status).toBe(404);
    expect(paths()).toEqual(['clients']);
  });
});

describe('a document of V2', () => {
  const { signal } = new AbortController();

  it.each(['/api/v2/files/a%20b?v=1', '/files/1'])(
    'is fetched from %s, with token and organisation',
    async (path) => {
      server.behave(answer('%PDF', 200, { 'content-type': 'application/pdf' }));
      const got = await lane().fetch(to, `${server.origin}${path}`, signal);
      expect([got.contentType, (await read(got.body)).toString()]).toEqual(['application/pdf', '%PDF']);
      expect(server.seen[0]).toMatchObject({
        method: 'GET',
        url: path,
        headers: { authorization: 'Bearer at-1', 'account-id': 'org-1' },
      });
    },
  );

  it.each([
    (origin: string) => `${origin.replace('http:', 'https:')}/api/v2/files/1`,
    (origin: string) => `${origin.replace('127.0.0.1', 'localhost')}/api/v2/files/1`,
    (origin: string) => `${origin.replace('//', '//user:word@')}/api/v2/files/1`,
    (origin: string) => `http://evil.example/@${origin}/api/v2/files/1`,
    () => '/api/v2/files/1',
  ])('is never fetched from another origin: %s', async (addressOn) => {
    expect(await codeOf(lane().fetch(to, addressOn(server.origin), signal))).toBe('badRequest');
    expect(server.seen).toEqual([]);
  });
});

describe('the memory of spellings', () => {
  it('is limited: the oldest is forgotten first', () => {
    const spellings = new Spellings([['a', 'b']], 2);
    for (const organisation of ['1', '2', '3']) spellings.remember(organisation, 'a', 'b');
    expect(['1', '2', '3'].map((organisation) => spellings.of(organisation, 'a')[0])).toEqual([
      'a',
      'b',
      'b',
    ]);
  });

  it('has nothing of a collection with one spelling', () => {
    const spellings = new Spellings([['a', 'b']]);
    spellings.remember('1', 'clients', 'clients');
    expect(spellings.of('1', 'clients')).toEqual(['clients']);
  });
});
