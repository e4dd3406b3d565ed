import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { Failure, failures, type FailureCode } from '../../src/lib/failure.ts';
import { PlainFields } from '../../src/lib/log/log.ts';
import type { LegacyCall, Trace } from '../../src/proxy/call/call.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { eventually } from '../support/clock.ts';
import { Sender } from '../support/http.ts';
import {
  converse,
  failureForm,
  KEYS,
  open,
  openTestServer,
  raw,
  wholeReply,
  type TestServer,
} from './harness.ts';

const list = `/client.api/list?${KEYS}`;
const send = async (
  services: TestServer,
  target: string,
  verb = 'GET',
  more: { body?: string | Buffer; headers?: Record<string, string> } = {},
) => {
  const sender = new Sender(`http://127.0.0.1:${services.port}`);
  try {
    return await sender.send({ verb, target, ...more });
  } finally {
    sender.close();
  }
};

/** What the bridge behind the door is handed. */
async function handed(
  target: string,
  verb = 'GET',
  more: { body?: string; headers?: Record<string, string> } = {},
): Promise<LegacyCall> {
  let seen: LegacyCall | undefined;
  const services = await openTestServer({
    serve: (call) => {
      seen = call;
      return {};
    },
  });
  await send(services, target, verb, more);
  if (seen === undefined) throw new Error('the call did not get through');
  return seen;
}

describe('the address of a call', () => {
  it.each([
    ['/client.api/list', ['client.api', 'list']],
    ['/CLIENT.API/List', ['client.api', 'List']],
    ['/client.api/list/', ['client.api', 'list']],
    ['/client.api/get/1000000', ['client.api', 'get', '1000000']],
    ['/job.api/get/J%20000%2312', ['job.api', 'get', 'J 000#12']],
    ['/job.api/get/%252e%252e', ['job.api', 'get', '%2e%2e']],
    ['/job.api/get/%E6%97%A5', ['job.api', 'get', '日']],
    ['/quote.api/get/Q25008%2F2', ['quote.api', 'get', 'Q25008/2']],
    ['/job.api/get/24%2FA/customfield', ['job.api', 'get', '24/A', 'customfield']],
  ])('%s is decoded exactly once', async (path, segments) => {
    const call = await handed(`${path}?${KEYS}`);
    expect(call.segments).toEqual(segments);
  });

  it.each([
    ['apiKey=K1&accountKey=K2&query=a', [['query', 'a']]],
    ['query=a&apikey=K1&ACCOUNTKEY=K2', [['query', 'a']]],
    [
      'a=1&apiKey=K1&b=2&accountKey=K2&a=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    ],
    [
      'api%4bey=K1&accountKey=K%32&&x&y=',
      [
        ['x', ''],
        ['y', ''],
      ],
    ],
    ['apiKey=K1&accountKey=K2&query=a+b%2Bc%26d%3D', [['query', 'a b+c&d=']]],
    ['apiKey=K1&accountKey=K2&query=Caf%C3%A9', [['query', 'Café']]],
    ['apiKey=K1&accountKey=K2&query=Caf%E9%80', [['query', 'Café€']]],
  ])('has its keys removed from %s', async (query, rest) => {
    const call = await handed(`/client.api/search?${query}`);
    expect([call.keys.apiKey.reveal(), call.keys.accountKey.reveal()]).toEqual(['K1', 'K2']);
    expect(call.query).toEqual(rest);
    expect(call.target.reveal()).toBe(`/client.api/search?${query}`);
  });

  it('yields no keys from a form body', async () => {
    const services = await openTestServer();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status } = await send(services, '/client.api/add', 'POST', { body: KEYS, headers });
    expect(status).toBe(401);
  });

  it('shows no key, however the call is printed', async () => {
    const call = await handed(list);
    const { segments, query, keys, target } = call;
    expect(JSON.stringify({ segments, query, keys, target })).not.toMatch(/SECRET/);
  });
});

describe('the body of a call', () => {
  const reading = (limit: number) => async (call: LegacyCall) => ({
    body: `${(await call.body.read(limit)).length}`,
  });

  it('arrives as bytes, whatever its type', async () => {
    const services = await openTestServer({ serve: async (call) => ({ body: await call.body.read(1_000) }) });
    const body = Buffer.from([0xff, 0x00, 0x3c, 0xe9]);
    const reply = await send(services, `/client.api/add?${KEYS}`, 'POST', {
      body,
      headers: { 'Content-Type': 'text/json; x' },
    });
    expect(reply.bytes.equals(body)).toBe(true);
  });

  it('can come in chunks', async () => {
    const { port } = await openTestServer({ serve: reading(10) });
    const reply = await raw(
      port,
      `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n`,
    );
    expect(reply.body).toBe('7');
  });

  it('can be absent', async () => {
    const services = await openTestServer({ serve: reading(10) });
    expect((await send(services, list)).text).toBe('0');
  });

  it('is refused before it is read if its announced length exceeds the limit', async () => {
    const { port } = await openTestServer({ serve: reading(10) });
    const reply = await raw(
      port,
      `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n`,
    );
    expect(reply.status).toBe(413);
    expect(reply.body).toMatch(failureForm);
  });

  it('is refused as soon as it exceeds the limit', async () => {
    const { port } = await openTestServer({ serve: reading(10) });
    const reply = await raw(
      port,
      `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'4\r\nabcd\r\n'.repeat(4)}`,
    );
    expect(reply.status).toBe(413);
  });

  it('of a refused call is read, so that the sender gets the reason', async () => {
    const services = await openTestServer();
    const { status } = await send(services, '/client.api/add?apiKey=K', 'POST', {
      body: Buffer.alloc(3_000_000),
    });
    expect(status).toBe(401);
  });

  it('is requested with 100 Continue only if it will be read', async () => {
    const { port } = await openTestServer({ serve: reading(10) });
    const head = (query: string) =>
      `POST /client.api/add?${query} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n`;
    const refused = await converse(port, head('apiKey=K'));
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
    expect(refused).toMatch(/\r\nconnection: close\r\n/i);
    const socket = open(port);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('abcd');
    });
    socket.write(head(KEYS));
    await eventually('the reply', () => (text.endsWith('\r\n\r\n4') ? true : undefined));
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('that never arrives is abandoned', async () => {
    const { port } = await openTestServer({
      serve: reading(1_000_000),
      pace: { patience: 100, bytesPerSecond: 1_000_000, longest: 60_000 },
    });
    const reply = await raw(
      port,
      `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc`,
    );
    expect(reply.status).toBe(408);
    expect(reply.body).toMatch(failureForm);
  });

  it('that is cut off ends the call', async () => {
    const errors: unknown[] = [];
    const { port } = await openTestServer({
      serve: async (call) => {
        await call.body.read(1_000).catch((error: unknown) => errors.push(error));
        return {};
      },
    });
    const socket = open(port);
    socket.write(`POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc`, () =>
      socket.destroy(),
    );
    await eventually('the end of the body', () => errors[0]);
    expect(errors[0]).toMatchObject({ code: 'badRequest' });
  });
});

describe('a reply of the bridge', () => {
  it('has status, type, its own headers, request id and source', async () => {
    const services = await openTestServer({
      serve: () => ({
        status: 207,
        source: 'v1',
        contentType: 'text/xml',
        headers: { 'X-Own': 'yes' },
        body: 'Ā',
      }),
    });
    const { status, headers, text } = await send(services, list);
    expect({ status, text }).toEqual({ status: 207, text: 'Ā' });
    expect(headers).toMatchObject({
      'content-type': 'text/xml',
      'content-length': '2',
      'x-own': 'yes',
      'x-causeway-source': 'v1',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
  });

  it('is streamed as it comes, however slow the caller is', async () => {
    const chunk = 'x'.repeat(65_536);
    let made = 0;
    const services = await openTestServer({
      serve: () => ({
        body: (async function* () {
          for (; made < 400; made += 1) yield chunk;
        })(),
      }),
    });
    const socket = open(services.port);
    let taken = 0;
    socket.write(`GET ${list} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    socket.pause();
    await eventually('the beginning', () => (made > 0 ? true : undefined));
    let before = -1;
    await eventually('a standstill', () => {
      const still = made === before;
      before = made;
      return still ? true : undefined;
    });
    expect(made).toBeLessThan(400);
    socket.on('data', (piece: Buffer) => (taken += piece.length));
    socket.resume();
    await eventually('the end', () => (taken > 400 * 65_536 ? true : undefined));
  });

  it('that fails before its first chunk is a failure in the legacy form', async () => {
    const services = await openTestServer({
      serve: () => ({
        body: (async function* (): AsyncGenerator<string> {
          throw new Failure('upstreamTimeout');
        })(),
      }),
    });
    const { status, text } = await send(services, list);
    expect(status).toBe(504);
    expect(text).toMatch(failureForm);
  });

  it('that fails after its first chunk is cut, so that half never looks complete', async () => {
    let arrived: boolean | undefined;
    const services = await openTestServer({
      serve: () => ({
        body: (async function* () {
          yield '<Response><Clients>';
          await eventually('the first chunk to arrive', () => arrived);
          throw new Failure('upstreamAnswer');
        })(),
      }),
    });
    const text = await converse(services.port, `GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`, (said) => {
      arrived = said.includes('<Clients>') || undefined;
      return false;
    });
    expect(text).toMatch(/<Clients>/);
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    await expect(send(services, list)).rejects.toThrow();
    const line = await eventually('its line', () => services.log.lines.find(({ event }) => event === 'call'));
    expect(line.fields).toMatchObject({ status: 200, end: 'cut' });
  });

  it('states its length if that is known before its pieces', async () => {
    const pieces = async function* () {
      yield '<Response>';
      yield 'é</Response>';
    };
    const known = await openTestServer({ serve: () => ({ body: pieces(), length: 23 }) });
    const unknown = await openTestServer({ serve: () => ({ body: pieces() }) });
    const whole = await send(known, list);
    expect(whole.headers['content-length']).toBe('23');
    expect(whole.headers['transfer-encoding']).toBeUndefined();
    expect(whole.text).toBe('<Response>é</Response>');
    const chunked = await send(unknown, list);
    expect(chunked.headers['transfer-encoding']).toBe('chunked');
    expect(chunked.text).toBe('<Response>é</Response>');
  });

  it('that is shorter than announced is cut', async () => {
    const services = await openTestServer({
      serve: () => ({
        length: 100,
        body: (async function* () {
          yield '<Response>';
          throw new Failure('upstreamAnswer');
        })(),
      }),
    });
    await expect(send(services, list)).rejects.toThrow();
  });

  it('that the caller does not read is abandoned', async () => {
    let ended = false;
    const services = await openTestServer({
      stall: 100,
      serve: () => ({
        body: (async function* () {
          try {
            for (;;) yield 'x'.repeat(1_000_000);
          } finally {
            ended = true;
          }
        })(),
      }),
    });
    const socket = open(services.port);
    socket.pause();
    socket.write(`GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the end of the stream', () => (ended ? true : undefined));
    await eventually('its line', () => services.log.lines.find(({ fields }) => fields.end === 'cut'));
  });

  it('is cancelled if the caller hangs up', async () => {
    let begun = false;
    let aborted = false;
    const services = await openTestServer({
      serve: (call) =>
        new Promise((_resolve, reject) => {
          begun = true;
          call.signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Failure('upstreamUnavailable'));
          });
        }),
    });
    const socket = open(services.port);
    socket.write(`GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the call', () => (begun ? true : undefined));
    socket.destroy();
    await eventually('the abort', () => (aborted ? true : undefined));
    const line = await eventually('its line', () => services.log.lines.find(({ event }) => event === 'call'));
    expect(line.fields).toMatchObject({ end: 'gone', status: 499 });
  });

  it.each([
    ['a text', () => 'x'],
    ['a large text', () => 'x'.repeat(1_000_000)],
    [
      'a stream',
      async function* () {
        yield 'x';
        yield 'y';
      },
    ],
  ])('that is ready after its caller has left does no harm: %s', async (_name, body) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let begun = false;
    const services = await openTestServer({
      serve: async (call) => {
        if (call.segments[1] === 'search') return { body: 'well' };
        begun = true;
        await promise;
        return { body: body() };
      },
    });
    const socket = open(services.port);
    socket.write(`GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the call', () => (begun ? true : undefined));
    socket.resetAndDestroy();
    await eventually('the end of the connection', () => (socket.closed ? true : undefined));
    expect((await send(services, list.replace('list', 'search'))).text).toBe('well');
    resolve(undefined);
    await eventually('both lines', () => (services.log.lines.length > 1 ? true : undefined));
    expect((await send(services, list.replace('list', 'search'))).text).toBe('well');
    expect(services.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('leaves the connection open for the next call', async () => {
    const { port } = await openTestServer({ serve: (call) => ({ body: call.segments.join(' ') }) });
    const one = `GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const text = await converse(port, one + one.replace('list', 'search'), (said) =>
      said.includes('client.api search'),
    );
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});

describe('a failure in the legacy form', () => {
  it.each(Object.keys(failures) as FailureCode[])('%s has the status and text of the table', async (code) => {
    const services = await openTestServer({
      serve: () => {
        throw new Failure(code);
      },
    });
    const { status, text, headers } = await send(services, list);
    expect(status).toBe(failures[code].status);
    expect(text).toMatch(failureForm);
    expect(text).toContain(failures[code].text);
    expect(text).toContain('api-method="List"');
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    const { retryAfter }: { readonly status: number; readonly retryAfter?: number } = failures[code];
    expect(headers['retry-after']).toBe(retryAfter?.toString());
  });

  it('names the earlier call that got the same answer', async () => {
    const services = await openTestServer({
      serve: () => {
        throw new Failure('refused', { joined: 'call-1' });
      },
    });
    expect((await send(services, list)).headers['x-causeway-joined']).toBe('call-1');
  });

  it('says how long to wait', async () => {
    const services = await openTestServer({
      serve: () => {
        throw new Failure('budgetExhausted', { retryAfter: 7 });
      },
    });
    expect((await send(services, list)).headers['retry-after']).toBe('7');
  });

  it.each(['malformedXml', 'missingRange', 'unreadableRange'] as const)(
    '%s has the configured status',
    async (code) => {
      const services = await openTestServer({
        malformedStatus: 400,
        serve: () => {
          throw new Failure(code);
        },
      });
      expect((await send(services, list)).status).toBe(400);
    },
  );

  it('that was not expected shows no details, and is in the log with its request', async () => {
    const services = await openTestServer({
      serve: () => {
        throw new TypeError('a private matter');
      },
    });
    const { status, text, headers } = await send(services, list);
    expect(status).toBe(500);
    expect(text).toMatch(failureForm);
    expect(text).not.toMatch(/private|at .*:\d+/);
    const told = services.log.lines.find(({ level }) => level === 'error');
    expect(told?.fields).toMatchObject({ request: headers['x-request-id'], error: 'a private matter' });
  });

  it('of a store that is down asks to try again', async () => {
    const services = await openTestServer({
      serve: () => {
        throw new StoreFault('unavailable', 'no connection');
      },
    });
    const { status, text, headers } = await send(services, list);
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(text).toMatch(failureForm);
    expect(services.log.lines.find(({ level }) => level === 'error')?.fields).toMatchObject({
      error: 'no connection',
    });
  });
});

describe('the log line of a call', () => {
  it('has request, account, method, source, status and times, and nothing of the query', async () => {
    const services = await openTestServer({
      serve: (_call, trace) => {
        trace.accountId = 'a1';
        trace.method = 'client.list';
        trace.upstreamMillis += 12.34;
        trace.waitedMillis += 2150.04;
        trace.dropped.add('Client/Nonsense');
        trace.defaulted.add('priority');
        trace.absent = new Set(['Client/DateOfBirth', 'Client/FirstName']);
        return { body: 'x' };
      },
    });
    const { headers } = await send(services, `${list}&query=private`);
    const line = await eventually('its line', () => services.log.lines.find(({ event }) => event === 'call'));
    expect(line.fields).toMatchObject({
      request: headers['x-request-id'],
      account: 'a1',
      method: 'client.list',
      source: 'v3',
      status: 200,
      upstreamMs: 12.3,
      waitedMs: 2150,
      dropped: 'Client/Nonsense',
      defaulted: 'priority',
      absent: 'Client/DateOfBirth Client/FirstName',
    });
    expect(typeof line.fields.ms).toBe('number');
    expect(JSON.stringify(services.log.lines)).not.toMatch(/private|SECRET/);
    expect(services.figures).toMatchObject([{ method: 'client.list', source: 'v3', status: 200 }]);
  });

  const losing: readonly (readonly [string, (trace: Trace) => unknown, boolean])[] = [
    ['nothing', () => undefined, true],
    ['an element of the request', (trace) => trace.dropped.add('Client/Nonsense'), false],
    ['the reply of V2', (trace) => (trace.rerouted = 'Client/DateOfBirth'), false],
  ];

  it.each(losing)(
    'is searched for secrets as its fields require, with the losses %s',
    async (_lost, lose, isPlain) => {
      const services = await openTestServer({
        serve: (_call, trace) => {
          lose(trace);
          return { body: 'x' };
        },
      });
      await send(services, list);
      const line = await eventually('its line', () =>
        services.log.lines.find(({ event }) => event === 'call'),
      );
      expect(line.fields instanceof PlainFields).toBe(isPlain);
    },
  );
});

describe('a stop of the bridge', () => {
  it('lets running calls finish, accepts no more, and closes idle connections', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let begun = false;
    const services = await openTestServer({
      limits: { grace: 10 * MINUTE },
      serve: async (call) => {
        if (call.segments[1] === 'search') return { body: 'quick' };
        begun = true;
        await promise;
        return { body: 'finished' };
      },
    });
    const idle = open(services.port);
    let closed = false;
    let quick = '';
    idle.on('data', (chunk: Buffer) => (quick += chunk.toString()));
    idle.on('close', () => (closed = true));
    idle.write(`GET ${list.replace('list', 'search')} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the idle connection', () => (wholeReply(quick) ? true : undefined));
    const reply = converse(services.port, `GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the call', () => (begun ? true : undefined));
    const stopped = services.server.stop();
    await eventually('the idle connection to close', () => (closed ? true : undefined));
    await expect(send(services, list)).rejects.toThrow(/ECONNREFUSED/);
    resolve(undefined);
    expect(await reply).toMatch(/connection: close[^]*finished$/i);
    await stopped;
  });

  it('does not wait for a connection without a request', async () => {
    const services = await openTestServer({ limits: { grace: 10 * MINUTE } });
    const socket = open(services.port);
    await eventually('the connection', () => (socket.readyState === 'open' ? true : undefined));
    expect((await send(services, list)).status).toBe(200);
    let stopped = false;
    const stop = services.server.stop().then(() => (stopped = true));
    await eventually('the stop', () => (stopped ? true : undefined));
    await stop;
  });
});

describe('the application', () => {
  it('answers the checks for liveness and readiness', async () => {
    const services = await openTestServer();
    for (const [path, text] of [
      ['live', '{"status":"ok"}'],
      ['ready', '{"status":"ok"}'],
    ] as const) {
      const reply = await send(services, `/_causeway/health/${path}`);
      expect(reply).toMatchObject({ status: 200, text });
      expect(reply.headers).toMatchObject({ 'x-causeway-source': 'bridge' });
      expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(reply.headers).not.toHaveProperty('x-powered-by');
    }
  });

  it.each([
    ['nothing can be served', false, false, 503, 'unavailable'],
    ['it is stopping', true, true, 503, 'stopping'],
    ['something can be served', true, false, 200, 'ok'],
  ])(
    'says whether it is ready when %s, and what is wrong',
    async (_name, serves, isStopping, code, status) => {
      const degraded = {
        'disk-low': 'the disk is nearly full: 3.0 MB of 80 are free at /srv/secret',
        v1: 'nothing is sent since yesterday: connect ECONNREFUSED 10.0.0.7:443',
        unheard: 'getaddrinfo ENOTFOUND db.internal',
      };
      const view = () => ({ serves, degraded });
      const services = await openTestServer({
        make: () => ({ health: { view, stopping: () => isStopping } }),
      });
      const reply = await send(services, '/_causeway/health/ready');
      expect({ status: reply.status, text: reply.text }).toEqual({
        status: code,
        text: JSON.stringify({
          status,
          degraded: {
            'disk-low': 'the disk is nearly full',
            v1: 'V1 does not answer: nothing is sent there',
            unheard: 'degraded; the log says why',
          },
        }),
      });
      expect((await send(services, '/_causeway/health/live')).status).toBe(200);
    },
  );

  it('tells others what is in doubt, but not where it was found', async () => {
    const doubt = () => ({
      why: 'copied' as const,
      words: 'the mark at /srv/secret is of another host',
    });
    const view = () => ({ serves: true, degraded: {} });
    const services = await openTestServer({
      make: () => ({ health: { view, doubt, stopping: () => false } }),
    });
    expect(JSON.parse((await send(services, '/_causeway/health/ready')).text)).toEqual({
      status: 'ok',
      deployment: { state: 'in doubt', why: 'copied', command: 'causeway deployment acknowledge' },
    });
  });

  it('tells browsers to use https alone, if it is reached by https', async () => {
    for (const isHttps of [true, false]) {
      const services = await openTestServer({ make: () => ({ isHttps }) });
      const { headers } = await send(services, '/_causeway/connect/x');
      expect(headers['strict-transport-security']).toBe(isHttps ? 'max-age=31536000' : undefined);
      expect((await send(services, list)).headers).not.toHaveProperty('strict-transport-security');
    }
  });

  it.each(['/_causeway', '/_causeway/', '/_causeway/nothing', '/_causeway/connect/x', '/_causeway/%zz'])(
    'shows a not-found page for %s',
    async (target) => {
      const services = await openTestServer();
      const { status, headers, text } = await send(services, target);
      expect(status).toBe(404);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
      expect(text).toMatch(/This page does not exist/);
    },
  );

  it.each([
    '/_CAUSEWAY/health/live',
    '/%5fcauseway/health/live',
    '/x/../_causeway/health/live',
    '/_causewayx/y',
  ])('treats %s as a legacy call', async (target) => {
    const { port } = await openTestServer();
    const { body } = await raw(port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(body).toMatch(failureForm);
  });

  it('creates requests with their final prototypes, so that Express need not change them', async () => {
    const changed: object[] = [];
    const { setPrototypeOf } = Object;
    const services = await openTestServer();
    Object.setPrototypeOf = <T extends object | null>(object: T, prototype: object | null): T => {
      if (object !== null && Object.getPrototypeOf(object) !== prototype) changed.push(object);
      return setPrototypeOf(object, prototype) as T;
    };
    try {
      expect((await send(services, list)).status).toBe(200);
    } finally {
      Object.setPrototypeOf = setPrototypeOf;
    }
    expect(changed.map((object) => object.constructor.name)).not.toContain('IncomingMessage');
    expect(changed.filter((object) => 'writeHead' in object || 'httpVersion' in object)).toEqual([]);
  });
});
