import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../src/lib/failure.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import { type Slot } from '../../src/upstream/limiter/slot.ts';
import type { Bulkhead, BulkheadParts } from '../../src/upstream/transport/bulkhead.ts';
import { UNKNOWN_KEYS } from '../../src/upstream/transport/connection-pool.ts';
import { V1Client } from '../../src/upstream/v1.ts';
import { UpstreamClient } from '../../src/upstream/client.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { bulkheadTo, carried, type Carried } from './bench.ts';
import { HandTimers } from '../support/hand-timers.ts';
import { answer, badServer, read, reset, silence, type BadServer, type Behaviour } from './server.ts';
import { HandClock, until } from '../support/clock.ts';

let server: BadServer;
let timers: HandTimers;
let opened: Bulkhead[];

beforeEach(async () => {
  server = await badServer();
  timers = new HandTimers();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((bulkhead) => bulkhead.close(0)));
  await server.close();
});

/** Sixteen connections, two for each account. */
function bulkhead(parts: Partial<BulkheadParts> = {}): Bulkhead {
  const { clock, timer } = timers;
  const limits = { size: 16, share: 2, waitMs: 2_000 };
  const made = bulkheadTo(server.origin, { clock, timer, limits, random: () => 1, ...parts });
  opened.push(made);
  return made;
}

interface V3 {
  readonly bulkhead: Bulkhead;
  readonly parts: Carried;
  /** The status, or the failure. */
  readonly call: (account: string, request?: Partial<UpstreamRequest>) => Promise<number | Failure>;
}

function v3(one = bulkhead(), changes: Partial<Carried> = {}): V3 {
  const parts = { ...carried(), ...changes };
  const roots = { standard: `${server.origin}/3.0`, practice: `${server.origin}/3.0` };
  const lane = new UpstreamClient({
    version: 'v3',
    ...parts,
    roots,
    bulkheads: { standard: one, practice: one },
  });
  return {
    bulkhead: one,
    parts,
    call: (account, request = {}) => {
      const to = {
        accountId: account,
        product: 'standard',
        application: 'default',
        grantId: 'g',
        organisationId: account,
      } as const;
      const { signal } = new AbortController();
      const sent = { verb: 'GET', segments: ['client.api', 'list'], query: [], signal, ...request };
      return outcome(lane.send(to, sent));
    },
  };
}

function v1(one: Bulkhead): (account: string | undefined) => Promise<number | Failure> {
  const lane = new V1Client({ root: `${server.origin}/v1`, bulkhead: one, resendMs: 1 });
  const { signal } = new AbortController();
  return (account) =>
    outcome(
      lane.pass({
        account,
        verb: 'GET',
        target: new Secret('/client.api/list'),
        contentType: undefined,
        accept: undefined,
        body: undefined,
        signal,
      }),
    );
}

const outcome = async (
  sent: Promise<{ readonly status: number; readonly body: AsyncIterable<Buffer> }>,
): Promise<number | Failure> => {
  try {
    const { status, body } = await sent;
    await read(body);
    return status;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

const codes = (ends: readonly (number | Failure)[]): Readonly<Record<string, number>> => {
  const count: Record<string, number> = {};
  for (const end of ends) {
    const code = end instanceof Failure ? end.code : String(end);
    count[code] = (count[code] ?? 0) + 1;
  }
  return count;
};

const times = <T>(many: number, make: (index: number) => T): T[] =>
  Array.from({ length: many }, (_, index) => make(index));

/** Says nothing to these, and answers everybody else. */
const silentFor =
  (isMeant: (request: IncomingMessage) => boolean): Behaviour =>
  (request, response, nth) => {
    (isMeant(request) ? silence : answer('<ok/>'))(request, response, nth);
  };

const isOf =
  (prefix: string) =>
  ({ headers }: IncomingMessage): boolean =>
    String(headers['account-id']).startsWith(prefix);

const NOTHING_SENT = expect.stringContaining('nothing was sent');

describe('accounts whose calls hang', () => {
  it('leave room for all others, and further calls are refused after two seconds', async () => {
    server.behave(silentFor(isOf('slow')));
    const { bulkhead: one, call } = v3();
    const hanging = times(150, (index) => call(`slow-${index % 3}`));
    await until('their share', () => server.seen.length === 6 && one.view.connections.waiting === 144);
    const others = await Promise.all(times(40, (index) => call(`quick-${index % 8}`)));
    expect(codes(others)).toEqual({ 200: 40 });
    expect(server.seen).toHaveLength(46);
    timers.advanceNow(2_000);
    await until('the end of their patience', () => one.view.connections.refused === 144);
    expect(server.seen).toHaveLength(46);
    await one.close(0);
    const ends = await Promise.all(hanging);
    expect(codes(ends)).toEqual({ busy: 144, upstreamUnavailable: 6 });
    expect(ends.find((end) => end instanceof Failure && end.code === 'busy')).toMatchObject({
      retryAfter: 2,
      text: NOTHING_SENT,
    });
    expect(one.view.connections).toMatchObject({ used: 0, waiting: 0 });
  });

  it('on V1 do not stop V3, although both have one address', async () => {
    server.behave(silentFor(({ url = '' }) => url.startsWith('/v1/')));
    const one = bulkhead();
    const pass = v1(one);
    const hanging = times(200, (index) => pass(`a${index % 20}`));
    await until('all connections to V1', () => server.seen.length === 16);
    const { call } = v3();
    expect(codes(await Promise.all(times(40, (index) => call(`a${index % 20}`))))).toEqual({ 200: 40 });
    await one.close(0);
    timers.advanceNow(2_000);
    expect((await Promise.all(hanging)).every((end) => end instanceof Failure)).toBe(true);
  });

  it('of unknown callers share one quota', async () => {
    server.behave(silence);
    const one = bulkhead();
    const pass = v1(one);
    const hanging = times(50, () => pass(undefined));
    await until('their share', () => server.seen.length === 2);
    expect(one.view.connections).toEqual({ used: 2, waiting: 48, refused: 0 });
    server.behave(answer('<ok/>'));
    expect(await pass('known')).toBe(200);
    await one.close(0);
    timers.advanceNow(2_000);
    await Promise.all(hanging);
  });

  it('release a connection with the last byte of a reply, not with its first', async () => {
    server.behave((_, response) => {
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.write('<Response>');
    });
    const { bulkhead: one, call } = v3();
    const hanging = times(3, () => call('a'));
    await until('their share', () => server.seen.length === 2 && one.view.connections.waiting === 1);
    expect(one.view.connections).toMatchObject({ used: 2, waiting: 1 });
    await one.close(0);
    timers.advanceNow(2_000);
    await Promise.all(hanging);
  });
});

describe('a call without a free connection', () => {
  it('does not count as one of the sixty', async () => {
    server.behave(silence);
    const rateLimiter = new RateLimiter({ clock: new HandClock(), perMinute: 3, burst: 3 });
    const { bulkhead: one, call } = v3(bulkhead(), { rateLimiter, waitMs: 0 });
    const hanging = times(2, () => call('a'));
    await until('their share', () => server.seen.length === 2);
    for (let nth = 0; nth < 5; nth += 1) {
      const waiting = call('a');
      await until('the wait', () => one.view.connections.waiting === 1);
      timers.advanceNow(2_000);
      expect(await waiting).toMatchObject({ code: 'busy' });
    }
    await one.close(0);
    await Promise.all(hanging);
  });

  it('waits longer within a list that has started', async () => {
    server.behave(silence);
    const one = bulkhead();
    const parts = carried();
    const roots = { standard: `${server.origin}/3.0`, practice: `${server.origin}/3.0` };
    const lane = new UpstreamClient({
      version: 'v3',
      ...parts,
      roots,
      bulkheads: { standard: one, practice: one },
    });
    const to = {
      accountId: 'a',
      product: 'standard',
      application: 'default',
      grantId: 'g',
      organisationId: 'a',
    } as const;
    const { signal } = new AbortController();
    const page = (): Promise<number | Failure> =>
      outcome(lane.send(to, { verb: 'GET', segments: ['x.api', 'list'], query: [], signal }, 'continued'));
    const hanging = times(2, page);
    await until('their share', () => server.seen.length === 2);
    const waiting = page();
    await until('the wait', () => one.view.connections.waiting === 1);
    timers.advanceNow(19_999);
    expect(one.view.connections).toMatchObject({ waiting: 1, refused: 0 });
    timers.advanceNow(1);
    expect(await waiting).toMatchObject({ code: 'busy' });
    await one.close(0);
    await Promise.all(hanging);
  });

  it('sends nothing on a permit that expired while it waited', async () => {
    server.behave(silence);
    let lapsed = false;
    const used: string[] = [];
    const slot = (): Slot => ({
      get lapsed() {
        return lapsed;
      },
      left: () => undefined,
      abandoned: () => void used.push('abandoned'),
      answered: () => void used.push('answered'),
      unsent: () => {
        used.push('unsent');
        lapsed = false;
      },
      ended: () => undefined,
    });
    const rateLimiter = { acquireAtOnce: slot } as unknown as RateLimiter;
    const { bulkhead: one, call } = v3(bulkhead(), { rateLimiter });
    const hanging = times(2, () => call('a'));
    await until('their share', () => server.seen.length === 2);
    const waiting = call('a');
    await until('the wait', () => one.view.connections.waiting === 1);
    lapsed = true;
    server.behave(answer('<ok/>'));
    for (const socket of server.sockets) socket.destroy();
    expect(await waiting).toBe(200);
    await Promise.all(hanging);
    expect(used.filter((end) => end === 'unsent')).toHaveLength(1);
  });
});

describe('an upstream that refuses connections', () => {
  it('gets no calls after three refusals, and gets them again when it is back', async () => {
    const { port } = new URL(server.origin);
    await server.close();
    const { bulkhead: one, call, parts } = v3();
    const other = v3(bulkhead({ name: 'other' }));
    expect(await call('a')).toMatchObject({ code: 'upstreamUnavailable' });
    expect(one.view.breaker.state).toBe('closed');
    await call('b');
    expect(one.view.breaker).toMatchObject({
      state: 'open',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    const { asked } = parts.vault;
    expect(await call('c', { verb: 'POST', body: '<Client/>' })).toMatchObject({
      code: 'upstreamUnavailable',
      retryAfter: 1,
      text: NOTHING_SENT,
    });
    expect(parts.vault.asked).toBe(asked);
    expect(other.bulkhead.view.breaker.state).toBe('closed');
    await until('the port', async () => {
      server = await badServer(answer('<ok/>'), Number(port)).catch(() => server);
      return server.seen.length === 0 && server.isListening();
    });
    timers.advanceNow(1_000);
    await until('the probe', () => one.view.breaker.state === 'closed');
    expect(await call('c')).toBe(200);
    expect(server.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/', undefined],
      ['/3.0/client.api/list', 'Bearer at-1'],
    ]);
  });
});

describe('an upstream that does not answer', () => {
  it('gets no calls, waiting callers are told, and it gets calls again when it answers', async () => {
    server.behave(silence);
    const { bulkhead: one, call } = v3(bulkhead({ probeMs: 20 }));
    const hanging = times(10, (index) => call(`a${index % 5}`));
    await until('the calls', () => server.seen.length === 10);
    timers.advanceNow(4_000);
    const waiting = call('a0');
    await until('the wait', () => one.view.connections.waiting === 1);
    expect(server.seen).toHaveLength(10);
    timers.advanceNow(1_000);
    await until('the breaker', () => one.view.breaker.state === 'open');
    expect(await waiting).toMatchObject({ code: 'upstreamUnavailable', text: NOTHING_SENT });
    expect(one.view.connections.waiting).toBe(0);
    const seen = server.seen.length;
    expect(await call('c')).toMatchObject({ code: 'upstreamUnavailable', text: NOTHING_SENT });
    expect(server.seen).toHaveLength(seen);
    server.behave(answer('<ok/>'));
    await until('the probe', () => {
      timers.advanceNow(1_000);
      return one.view.breaker.state === 'closed';
    });
    expect(await call('c')).toBe(200);
    await one.close(0);
    await Promise.all(hanging);
  });

  it('is only slow if just callers without a token wait: one long export is no outage', async () => {
    server.behave(silentFor(({ url }) => url !== '/'));
    const { bulkhead: one, call } = v3();
    const hanging = times(15, (index) => call(`a${index % 8}`));
    await until('the calls', () => server.seen.length === 15);
    for (let probes = 1; probes <= 3; probes += 1) {
      await until('a probe', () => {
        timers.advanceNow(1_000);
        return server.seen.filter(({ url }) => url === '/').length >= probes;
      });
    }
    expect(one.view.breaker.state).toBe('closed');
    await one.close(0);
    await Promise.all(hanging);
  });
});

describe('an account whose calls all fail', () => {
  it('is paused for a while; others are not, and neither is it at another upstream', async () => {
    server.behave((request, response, nth) => {
      (isOf('bad')(request) ? reset : answer('<ok/>'))(request, response, nth);
    });
    const [{ bulkhead: one, call }, other] = [v3(), v3()];
    const ends = [];
    for (let nth = 0; nth < 20; nth += 1) ends.push(await call('bad', { verb: 'PUT' }));
    expect(codes(ends)).toEqual({ outcomeUnknown: 10, upstreamUnavailable: 10 });
    expect(server.seen).toHaveLength(10);
    expect(one.view).toMatchObject({ accountsOpen: 1, breaker: { state: 'closed' } });
    expect(await call('bad')).toMatchObject({
      code: 'upstreamUnavailable',
      retryAfter: 5,
      text: NOTHING_SENT,
    });
    expect(await call('good')).toBe(200);
    await other.call('bad', { verb: 'PUT' });
    expect(server.seen).toHaveLength(12);
    server.behave(answer('<ok/>'));
    timers.advanceNow(5_000);
    expect([await call('bad'), await call('bad')]).toEqual([200, 200]);
    expect(one.view.accountsOpen).toBe(0);
  });

  it('is not paused if its calls are only slow', async () => {
    server.behave(silence);
    const transport = new Transport({ answerMs: 1, stallMs: 10_000 });
    const { bulkhead: one, call } = v3(bulkhead({ transport }));
    for (let nth = 0; nth < 30; nth += 1)
      expect(await call('slow')).toMatchObject({ code: expect.stringMatching(/Timeout|Unavailable/) });
    expect(one.view).toMatchObject({ accountsOpen: 0, breaker: { state: 'closed' } });
  });

  it('does not affect unknown callers', async () => {
    server.behave(reset);
    const one = bulkhead();
    const pass = v1(one);
    for (let nth = 0; nth < 15; nth += 1) await pass(undefined);
    expect(one.view.accountsOpen).toBe(0);
    server.behave(answer('<ok/>'));
    expect(await pass(UNKNOWN_KEYS)).toBe(200);
  });
});

describe('a token that is refused', () => {
  it('is replaced for a tenth of the calls, and the others say that they were not sent again', async () => {
    server.behave(answer('', 401));
    const { call } = v3(bulkhead(), {
      rateLimiter: new RateLimiter({ clock: new HandClock(), perMinute: 1e6 }),
    });
    const ends: (number | Failure)[] = [];
    for (let nth = 0; nth < 1_000; nth += 1) ends.push(await call(`a${nth % 50}`));
    expect(server.seen.length).toBe(1_100);
    expect(codes(ends)).toEqual({ 401: 100, upstreamUnavailable: 900 });
    expect(ends.at(-1)).toMatchObject({ retryAfter: 1 });
  });
});
