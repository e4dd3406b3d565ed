import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { receivedBody } from '../../src/proxy/pass-through.ts';
import { Failure } from '../../src/lib/failure.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { unusable } from '../../src/proxy/call/status.ts';
import type { Marks, WriteMarks } from '../../src/features/writes/rows/write-marks.ts';
import { RememberedLooks } from '../../src/proxy/sparing/flights.ts';
import { SparingUpstream } from '../../src/proxy/sparing/sparing-upstream.ts';
import { UpstreamClient } from '../../src/upstream/client.ts';
import type { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import type { Bulkhead } from '../../src/upstream/transport/bulkhead.ts';
import type { ResponseHandler } from '../../src/upstream/transport/exchange.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { eventually } from '../support/clock.ts';
import { Sender, type Answered } from '../support/http.ts';
import { bulkheadTo, carried, CountingVault } from '../upstream/bench.ts';
import {
  answer,
  badServer,
  cut,
  inTurn,
  reset,
  silence,
  stall,
  type BadServer,
  type Behaviour,
} from '../upstream/server.ts';
import { KEYS, open, openTestServer, type TestServer } from './harness.ts';

const to = {
  accountId: 'a1',
  product: 'standard',
  application: 'default',
  grantId: 'g',
  organisationId: 'org-1',
} as const;
const GET = `/client.api/get/1?${KEYS}`;
const KEY = 'org-1\nclient';
const CLIENT = '<Response><Status>OK</Status><Client><Name>Zoë</Name></Client></Response>';
const LONG = `<Response><Status>OK</Status><Name>${'x'.repeat(200_000)}</Name></Response>`;

/** Where Node tells of each request that a server gets. */
const BEGINS = 'http.server.request.start';

/** A token is in memory from the first call on. */
class WarmVault extends CountingVault {
  readonly #tokens = new Map<number, { token: Secret; generation: number }>();

  override present(): undefined {
    return this.#token() as unknown as undefined;
  }

  #token(): { token: Secret; generation: number } {
    const { generation } = this;
    const known = this.#tokens.get(generation) ?? { token: new Secret(`at-${generation}`), generation };
    this.#tokens.set(generation, known);
    return known;
  }
}

interface Bench extends TestServer {
  readonly sender: Sender;
  readonly bulkhead: Bulkhead;
  readonly rateLimiter: RateLimiter;
  /** What the rate limiter counts as used, and as unanswered. */
  permits(): unknown;
}

let service: BadServer;
const closing: (() => Promise<void> | void)[] = [];

beforeEach(async () => {
  service = await badServer(answer(CLIENT));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await service.close();
});

interface Options {
  readonly hasFastPath?: boolean;
  readonly answerMs?: number;
  readonly pool?: (origin: string) => Dispatcher;
  /** Identical reads share a request. */
  readonly isShared?: boolean;
  readonly look?: WriteMarks['look'];
  /** Whether accounts have changed has to be asked: who waits for that. */
  readonly asking?: (() => void)[];
  readonly concurrent?: number;
}

const marksOf = (writes: number): Marks => ({
  counts: new Map([['client.update', writes]]),
  open: new Set(),
});
const NO_WRITES = { counts: new Map<string, number>(), open: new Set<string>() };

/** A listener, the fast path if wanted, and behind it the client of V3 as the general path. */
async function openBench(options: Options = {}): Promise<Bench> {
  const { hasFastPath = true, answerMs = 10_000, pool, isShared = false, asking, concurrent } = options;
  const { look = async () => NO_WRITES } = options;
  const { clock, rateLimiter, ...rest } = carried(concurrent);
  const transport = new Transport({ answerMs, stallMs: 10_000 }, pool);
  const bulkhead = bulkheadTo(service.origin, { transport, clock });
  const client = new UpstreamClient({
    ...rest,
    version: 'v3',
    roots: { standard: `${service.origin}/3.0`, practice: `${service.origin}/3.0` },
    bulkheads: { standard: bulkhead, practice: bulkhead },
    vault: new WarmVault(),
    clock,
    rateLimiter,
  });
  const looks = new RememberedLooks({ look });
  const sparing = { looks, clock, isShared, kept: undefined, count: () => undefined };
  const v3 = new SparingUpstream(client, 'v3', sparing);
  await looks.look(to.accountId);
  (await rateLimiter.acquire(KEY, 0)).unsent();
  const segments = ['client.api', 'get', '1'];
  const unchanged = (bytes: Buffer): Buffer | undefined => (bytes[0] === 0x3c ? bytes : undefined);
  const server = await openTestServer({
    serve: async (call, trace) => {
      trace.accountId = 'a1';
      const got = await v3.send(to, {
        verb: 'GET',
        segments,
        query: [],
        signal: call.signal,
        sent: call.sent,
        times: trace,
        method: 'client.get',
      });
      if (got.status === 404) throw new Failure('refused', { text: 'There is no such client' });
      if (got.status !== 200) throw unusable(false, 'upstreamAnswer');
      return { body: await receivedBody(got, false) };
    },
    ...(hasFastPath && {
      fastPath: {
        ask: (_, then) => asking !== undefined && asking.push(then) > 0,
        begin: ({ target }) => {
          if (target !== GET) return undefined;
          const ready = v3.ready(to, segments, [], 'client.get');
          const reply = (bytes: Buffer): Buffer | undefined => {
            ready?.flight?.arrived(bytes);
            return unchanged(bytes);
          };
          return ready && { ready, reply, accountId: 'a1', method: 'client.get', source: 'v3' };
        },
      },
    }),
  });
  const sender = new Sender(`http://127.0.0.1:${String(server.port)}`);
  closing.push(
    () => bulkhead.close(0),
    () => {
      sender.close();
    },
  );
  return { ...server, sender, bulkhead, rateLimiter, permits: () => rateLimiter.permits.get(KEY) };
}

/** What the caller gets, how often the service was asked, and whether the call ended on the fast path. */
async function asked(bench: Bench): Promise<object> {
  const before = service.seen.length;
  const ended = bench.figures.length;
  const { status, text, headers } = await bench.sender
    .send({ verb: 'GET', target: GET })
    .catch((error: unknown): Pick<Answered, 'status' | 'text' | 'headers'> => {
      expect(error).toBeInstanceOf(Error);
      return { status: 0, text: 'cut', headers: {} };
    });
  const figures = await eventually('the call is counted', () => bench.figures[ended]);
  await eventually('every connection is free', () =>
    bench.bulkhead.view.connections.used === 0 ? true : undefined,
  );
  const source = headers['x-causeway-source'];
  const type = headers['content-type'];
  return { status, text, source, type, requests: service.seen.length - before, counted: figures.status };
}

const pieces =
  (...texts: readonly string[]): Behaviour =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' });
    const next = (at: number): void => {
      if (at === texts.length) response.end();
      else response.write(texts[at] ?? '', () => setTimeout(next, 5, at + 1));
    };
    next(0);
  };

const informed: Behaviour = (request, response, nth) => {
  response.writeProcessing();
  answer(CLIENT)(request, response, nth);
};

const headed =
  (headers: Record<string, string>): Behaviour =>
  (request, response, nth) => {
    answer(CLIENT, 200, headers)(request, response, nth);
  };

const usual: readonly (readonly [string, Behaviour])[] = [
  ['a whole answer', answer(CLIENT)],
  ['an answer in pieces', pieces('<Response>', '<Status>OK</Status>', '</Response>')],
  ['an answer after an interim one', informed],
];

const unusual: readonly (readonly [string, Behaviour])[] = [
  ['an answer that is too long to be held', answer(LONG)],
  [
    'a long answer in pieces',
    pieces('<Response>', ...Array<string>(20).fill('y'.repeat(10_000)), '</Response>'),
  ],
  ['a page of a gateway', answer('Bad gateway')],
  ['an empty answer', answer('')],
  ['an encoded answer', headed({ 'content-encoding': 'gzip' })],
  ['an answer encoded as it is', headed({ 'content-encoding': 'identity' })],
  ['an answer with Retry-After', headed({ 'retry-after': '5' })],
  ['a record that is not there', answer('<Response/>', 404)],
  ['a fault of the service', answer('<Response/>', 500)],
  ['a redirect', answer('', 302, { location: '/elsewhere' })],
  ['an expired token', inTurn(answer('', 401), answer(CLIENT))],
  ['a refusal for the rate limit', inTurn(answer('', 429), answer(CLIENT))],
  ['a service that asks to wait', inTurn(answer('', 503, { 'retry-after': '0' }), answer(CLIENT))],
  ['a connection that is closed without an answer', inTurn(reset, answer(CLIENT))],
  ['a connection that is always closed', reset],
  ['a compressed body under a plain header', (_, response) => response.end(gzipSync(CLIENT))],
];

describe('a read on the fast path', () => {
  it('waits for the database if only that knows whether its account has changed', async () => {
    const asking: (() => void)[] = [];
    const bench = await openBench({ asking });
    const next = (): Promise<() => void> => eventually('a call asks', () => asking.shift());
    const usual = asked(bench);
    (await next())();
    expect(await usual).toMatchObject({ status: 200, text: CLIENT, requests: 1 });
    const unusual = bench.sender.send({ verb: 'GET', target: `${GET}&a=b` });
    (await next())();
    expect(await unusual).toMatchObject({ status: 200, text: CLIENT });
    const responses: ServerResponse[] = [];
    const begins = (message: unknown): void => {
      responses.push((message as { readonly response: ServerResponse }).response);
    };
    subscribe(BEGINS, begins);
    const gone = open(bench.port);
    gone.write(`GET ${GET} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const goOn = await next();
    gone.destroy();
    await eventually('its caller has left', () => (responses.at(-1)?.destroyed === true ? true : undefined));
    unsubscribe(BEGINS, begins);
    goOn();
    await eventually('all are counted', () => bench.figures[2]);
    expect(bench.figures.map(({ status, isFast }) => [status, isFast])).toEqual([
      [200, true],
      [200, false],
      [499, false],
    ]);
  });

  it.each(usual)('is served there to the end with %s', async (_, behaviour) => {
    service.behave(behaviour);
    const bench = await openBench();
    const told = await asked(bench);
    const general = await asked(await openBench({ hasFastPath: false }));
    expect(told).toEqual(general);
    expect(told).toMatchObject({ status: 200, requests: 1, source: 'v3' });
    expect(bench.figures).toMatchObject([{ isFast: true, method: 'client.get', status: 200 }]);
    expect(bench.ended).toMatchObject([{ accountId: 'a1', method: 'client.get', failed: false }]);
    expect(bench.permits()).toEqual({ inUse: 1, unanswered: 0 });
  });

  it.each(unusual)('is handed over with %s, and nothing extra is sent', async (_, behaviour) => {
    const counted = (): Behaviour => {
      const from = service.seen.length;
      return (request, response, nth) => {
        behaviour(request, response, nth - from);
      };
    };
    service.behave(counted());
    const bench = await openBench();
    const told = await asked(bench);
    service.behave(counted());
    const general = await openBench({ hasFastPath: false });
    expect(told).toEqual(await asked(general));
    expect(bench.figures.map(({ isFast }) => isFast)).toEqual([false]);
    expect(bench.permits()).toEqual(general.permits());
  });

  it('fails if the reply is cut, because the caller has received nothing', async () => {
    service.behave(cut);
    const bench = await openBench();
    expect(await asked(bench)).toMatchObject({ status: 502, requests: 1 });
  });

  it('keeps its request id when the general path takes over', async () => {
    service.behave(answer('<Response/>', 404));
    const bench = await openBench();
    const { headers } = await bench.sender.send({ verb: 'GET', target: GET });
    await eventually('the call is logged', () => bench.log.lines.find(({ event }) => event === 'call'));
    expect(bench.log.lines).toMatchObject([{ event: 'call', fields: { request: headers['x-request-id'] } }]);
  });

  it('is handed over if the reply is slow, and sent once', async () => {
    const hanging: (() => void)[] = [];
    service.behave((request, response, nth) => {
      hanging.push(() => {
        answer(CLIENT)(request, response, nth);
      });
    });
    const bench = await openBench();
    const reply = bench.sender.send({ verb: 'GET', target: GET });
    const end = await eventually('the request has arrived', () => hanging[0]);
    await new Promise((resolve) => setTimeout(resolve, 1_700));
    end();
    expect(await reply).toMatchObject({ status: 200, text: CLIENT });
    expect(service.seen).toHaveLength(1);
    expect(bench.figures).toMatchObject([{ isFast: false, status: 200 }]);
  });

  it('has the time limit of the general path', async () => {
    service.behave(silence);
    const bench = await openBench({ answerMs: 1_200 });
    const told = await bench.sender.send({ verb: 'GET', target: GET });
    expect(told.status).toBe(504);
    expect(service.seen).toHaveLength(1);
    expect(bench.permits()).toEqual({ inUse: 1, unanswered: 1 });
  });

  it('counts as abandoned if its caller leaves before the reply', async () => {
    service.behave(silence);
    const bench = await openBench();
    const socket = open(bench.port);
    socket.write(`GET ${GET} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the request has arrived', () => service.seen[0]);
    socket.destroy();
    const call = await eventually('the call has ended', () => bench.figures[0]);
    expect(call).toMatchObject({ status: 499, isFast: false });
    expect(bench.permits()).toEqual({ inUse: 1, unanswered: 1 });
  });

  it('is cancelled if its caller leaves in the middle of a reply', async () => {
    service.behave(stall);
    const bench = await openBench();
    const socket = open(bench.port);
    socket.write(`GET ${GET} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the request has arrived', () => service.seen[0]);
    socket.destroy();
    expect(await eventually('the call has ended', () => bench.figures[0])).toMatchObject({ status: 499 });
    await eventually('the connection is free', () =>
      bench.bulkhead.view.connections.used === 0 ? true : undefined,
    );
  });

  it('is answered when the process stops', async () => {
    service.behave(silence);
    const bench = await openBench();
    const reply = bench.sender.send({ verb: 'GET', target: GET });
    await eventually('the request has arrived', () => service.seen[0]);
    await bench.server.stop({ grace: 1 });
    expect(await reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  });

  it('is not sent a second time by the HTTP client', async () => {
    const aborted: unknown[] = [];
    const controller = { abort: (error: unknown) => aborted.push(error) } as never;
    const twice = {
      dispatch: (_: unknown, handler: ResponseHandler) => {
        handler.onRequestStart(controller, {});
        handler.onRequestStart(controller, {});
        handler.onResponseError(controller, new Error('closed'));
        return true;
      },
      close: async () => undefined,
    };
    const bench = await openBench({ pool: () => twice as unknown as Dispatcher });
    const { status } = await bench.sender.send({ verb: 'GET', target: GET });
    expect(status).toBe(503);
    expect(aborted).toMatchObject([{ kind: 'cut' }, { kind: 'cut' }]);
  });
});

describe('the choice of the fast path', () => {
  const plain = `GET ${GET} HTTP/1.1\r\nHost: x\r\n`;
  const last = 'Connection: close\r\n\r\n';

  it.each([
    ['another verb', `POST ${GET} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${last}`],
    ['HEAD', `HEAD ${GET} HTTP/1.1\r\nHost: x\r\n${last}`],
    ['HTTP/1.0', `GET ${GET} HTTP/1.0\r\nHost: x\r\n\r\n`],
    ['no Host', `GET ${GET} HTTP/1.1\r\n${last}`],
    ['two Hosts', `${plain}Host: y\r\n${last}`],
    ['a length', `${plain}Content-Length: 0\r\n${last}`],
    ['a transfer coding', `${plain}Transfer-Encoding: chunked\r\n${last}0\r\n\r\n`],
    ['an encoded body', `${plain}Content-Encoding: gzip\r\n${last}`],
    ['an expectation', `${plain}Expect: 100-continue\r\n${last}`],
    ['two Accepts', `${plain}Accept: a/b\r\nAccept: c/d\r\n${last}`],
    ['two Content-Types', `${plain}Content-Type: a/b\r\nContent-Type: c/d\r\n${last}`],
  ])('leaves a request with %s to the general path', async (_, request) => {
    const bench = await openBench();
    const socket = open(bench.port);
    socket.resume();
    socket.write(request);
    const call = await eventually('the call has ended', () => bench.figures[0]);
    expect(call.isFast).toBe(false);
  });

  it('includes a request of the usual form', async () => {
    const bench = await openBench();
    const socket = open(bench.port);
    socket.write(`${plain}Accept: a/b\r\nContent-Type: c/d\r\nX-Other: 1\r\n${last}`);
    expect(await eventually('the call has ended', () => bench.figures[0])).toMatchObject({ isFast: true });
  });

  it('takes one of the calls in progress at once, and leaves waiting for it to the general path', async () => {
    const bench = await openBench({ concurrent: 1 });
    for (let n = 0; n < 3; n += 1) await bench.sender.send({ verb: 'GET', target: GET });
    expect(bench.figures.map(({ isFast }) => isFast)).toEqual([true, true, true]);
    const slot = bench.rateLimiter.acquireAtOnce(KEY);
    const waiting = bench.sender.send({ verb: 'GET', target: GET });
    await eventually('it waits', () => bench.rateLimiter.use.waiting || undefined);
    slot?.unsent();
    expect((await waiting).status).toBe(200);
    expect(bench.figures.at(-1)).toMatchObject({ isFast: false });
  });

  it('leaves the refusal to the general path when the rate limit has no permit', async () => {
    const bench = await openBench();
    while (bench.rateLimiter.acquireAtOnce(KEY) !== undefined);
    const { status, headers } = await bench.sender.send({ verb: 'GET', target: GET });
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    expect(service.seen).toEqual([]);
  });
});

/** Answers what has come when `go` is called, each with the number of its request. */
function heldService(): { go: () => void } {
  const hanging: (() => void)[] = [];
  service.behave((request, response, nth) => {
    hanging.push(() => {
      answer(CLIENT.replace('Zoë', `n${nth}`))(request, response, nth);
    });
  });
  return {
    go: () => {
      for (const end of hanging.splice(0)) end();
    },
  };
}

describe('identical reads, the first on the fast path,', () => {
  const get = { verb: 'GET', target: GET };

  it('share its request', async () => {
    const held = heldService();
    const bench = await openBench({ isShared: true });
    const first = bench.sender.send(get);
    await eventually('the request has come', () => service.seen[0]);
    const others = [bench.sender.send(get), bench.sender.send(get)];
    await bench.sender.send({ verb: 'GET', target: '/_causeway/health/live' });
    held.go();
    const texts = (await Promise.all([first, ...others])).map(({ text }) => text);
    expect(texts).toEqual([1, 2, 3].map(() => CLIENT.replace('Zoë', 'n1')));
    expect(bench.figures.map(({ isFast }) => isFast)).toEqual([true, true, true]);
    expect(service.seen).toHaveLength(1);
  });

  it.each([...usual, ...unusual])('all get what the general path returns with %s', async (_, behaviour) => {
    const together = async (options: Options): Promise<readonly unknown[]> => {
      const from = service.seen.length;
      const held: (() => void)[] = [];
      service.behave((request, response, nth) => {
        const answerIt = (): void => {
          behaviour(request, response, nth - from);
        };
        if (nth - from === 1) held.push(answerIt);
        else answerIt();
      });
      const bench = await openBench({ isShared: true, ...options });
      const said = async (): Promise<unknown> => {
        const { status, text } = await bench.sender.send(get).catch(() => ({ status: 0, text: 'cut' }));
        return { status, text };
      };
      const first = said();
      await eventually('the request has come', () => held[0]);
      const others = [said(), said()];
      await bench.sender.send({ verb: 'GET', target: '/_causeway/health/live' });
      held[0]?.();
      const replies = await Promise.all([first, ...others]);
      expect(bench.permits()).toMatchObject({ unanswered: 0 });
      return replies;
    };
    expect(await together({})).toEqual(await together({ hasFastPath: false }));
  });

  it.each([
    ['a write was recorded meanwhile', async (): Promise<Marks> => marksOf(1)],
    ['the database does not answer', () => Promise.reject(new Error('away'))],
  ])('send their own request if %s', async (_, later: () => Promise<Marks>) => {
    const held = heldService();
    let looks = 0;
    const look = (): Promise<Marks> => ((looks += 1) === 1 ? Promise.resolve(marksOf(0)) : later());
    const bench = await openBench({ isShared: true, look });
    const first = bench.sender.send(get);
    await eventually('the request has come', () => service.seen[0]);
    const second = bench.sender.send(get).catch(() => undefined);
    await eventually('a look was made, and another by the general path', () => looks > 2 || undefined);
    held.go();
    expect((await first).text).toBe(CLIENT.replace('Zoë', 'n1'));
    await eventually('the other has asked or failed', () => service.seen[1] ?? bench.figures[1]);
    held.go();
    expect((await second)?.text).not.toContain('n1');
  });

  it('leave it if their caller has left, and the others get its reply', async () => {
    const held = heldService();
    const bench = await openBench({ isShared: true });
    const first = bench.sender.send(get);
    await eventually('the request has come', () => service.seen[0]);
    const socket = open(bench.port);
    socket.write(`GET ${GET} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const third = bench.sender.send(get);
    await bench.sender.send({ verb: 'GET', target: '/_causeway/health/live' });
    socket.destroy();
    await eventually('its end is counted', () => bench.figures.find(({ status }) => status === 499));
    held.go();
    const texts = (await Promise.all([first, third])).map(({ text }) => text);
    expect(texts).toEqual([1, 2].map(() => CLIENT.replace('Zoë', 'n1')));
    expect(service.seen).toHaveLength(1);
  });

  it('still share it after it was handed over because the reply is slow', async () => {
    const held = heldService();
    const bench = await openBench({ isShared: true });
    const first = bench.sender.send(get);
    await eventually('the request has come', () => service.seen[0]);
    await new Promise((resolve) => setTimeout(resolve, 1_700));
    const second = bench.sender.send(get);
    await bench.sender.send({ verb: 'GET', target: '/_causeway/health/live' });
    held.go();
    expect((await Promise.all([first, second])).map(({ text }) => text)).toEqual(
      [1, 2].map(() => CLIENT.replace('Zoë', 'n1')),
    );
    expect(service.seen).toHaveLength(1);
  });

  it('send their own request if its caller has left', async () => {
    const held = heldService();
    const bench = await openBench({ isShared: true });
    const socket = open(bench.port);
    socket.write(`GET ${GET} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await eventually('the request has come', () => service.seen[0]);
    const second = bench.sender.send(get);
    await bench.sender.send({ verb: 'GET', target: '/_causeway/health/live' });
    socket.destroy();
    await eventually('the other asks for itself', () => service.seen[1]);
    held.go();
    expect((await second).text).toBe(CLIENT.replace('Zoë', 'n2'));
  });
});
