import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../../src/lib/failure.ts';
import type { Wait } from '../../src/http/server/server.ts';
import { eventually } from '../support/clock.ts';
import {
  converse,
  failureForm,
  KEYS,
  open,
  openTestServer,
  wholeReply,
  type TestServer,
  type Serve,
} from './harness.ts';

const LIST = `/client.api/list?${KEYS}`;
const ADD = `/client.api/add?${KEYS}`;
const READY = '/_causeway/health/ready';

/** Waits of a stop, each over when the test says so. */
class Waits {
  readonly #open = new Map<number, () => void>();
  #hurry = false;

  readonly wait: Wait = async (millis, signal) => {
    if (this.#hurry) {
      await turn();
      return;
    }
    await new Promise((resolve, reject) => {
      this.#open.set(millis, () => {
        resolve(undefined);
      });
      signal?.addEventListener('abort', () => {
        reject(new Error('no longer needed'));
      });
    });
  };

  /** The wait of so many milliseconds is over; waits for it where it has not begun yet. */
  async over(millis: number): Promise<void> {
    (await this.#begun(millis))();
  }

  /** Every wait after this one takes one turn of the event loop: enough for whatever ends by itself. */
  async overAndHurry(millis: number): Promise<void> {
    const end = await this.#begun(millis);
    this.#hurry = true;
    end();
  }

  async #begun(millis: number): Promise<() => void> {
    const end = await eventually(`a wait of ${String(millis)} ms`, () => this.#open.get(millis));
    this.#open.delete(millis);
    return end;
  }
}

const LAME_DUCK = 5_000;
const GRACE = 18_000;
/** Longer than the tests run. */
const FOR_EVER = 3_600_000;
/** More than the system keeps of a reply that is not read yet. */
const LARGE = 20_000_000;

interface Stopping {
  readonly services: TestServer;
  readonly waits: Waits;
  readonly stop: () => Promise<void>;
}

async function services(serve: Serve = () => ({ body: 'done' })): Promise<Stopping> {
  const waits = new Waits();
  const opened = await openTestServer({ serve, wait: waits.wait, limits: { keepAlive: FOR_EVER } });
  return {
    services: opened,
    waits,
    stop: () => opened.server.stop({ lameDuck: LAME_DUCK, grace: GRACE }),
  };
}

const statusOf = (reply: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1]);
const bodyOf = (reply: string): string => reply.slice(reply.indexOf('\r\n\r\n') + 4);

const asked = (port: number, verb: string, target: string, body = ''): Promise<string> =>
  converse(
    port,
    `${verb} ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
  );

describe('the grace time of a stop', () => {
  it("announces the stop on new connections, and serves each connection's last call", async () => {
    const { services: bridge, waits, stop } = await services();
    const stopped = stop();
    const ready = await asked(bridge.port, 'GET', READY);
    expect([statusOf(ready), bodyOf(ready)]).toEqual([503, '{"status":"stopping"}']);
    const reply = await asked(bridge.port, 'GET', LIST);
    expect(statusOf(reply)).toBe(200);
    expect(reply).toMatch(/connection: close/i);
    await waits.over(LAME_DUCK);
    await stopped;
    expect(await asked(bridge.port, 'GET', READY)).toBe('');
  });

  it("serves a call whose connection is in the listener's queue as it closes", async () => {
    const { services: bridge } = await services();
    const reply = asked(bridge.port, 'GET', LIST);
    await bridge.server.stop({ lameDuck: 0, grace: GRACE });
    expect(statusOf(await reply)).toBe(200);
  });

  it('answers every pipelined request of a connection', async () => {
    const {
      services: bridge,
      waits,
      stop,
    } = await services((call) => ({ body: `of ${call.segments.join()}` }));
    const stopped = stop();
    const text = await converse(
      bridge.port,
      ['add', 'update', 'list']
        .map((method) => `GET /client.api/${method}?${KEYS} HTTP/1.1\r\nHost: x\r\n\r\n`)
        .join(''),
      () => false,
    );
    expect(text.match(/of client\.api,[a-z]+/g)).toEqual([
      'of client.api,add',
      'of client.api,update',
      'of client.api,list',
    ]);
    await waits.over(LAME_DUCK);
    await stopped;
  });

  it('begins no call that arrived behind a reply that ended its connection', async () => {
    const begun: string[] = [];
    const body = Promise.withResolvers<string>();
    const {
      services: bridge,
      waits,
      stop,
    } = await services(({ verb }) => {
      begun.push(verb);
      const streamed = async function* () {
        yield '<Response>';
        yield await body.promise;
      };
      return { body: streamed() };
    });
    const stopped = stop();
    const socket = open(bridge.port);
    const closed = once(socket, 'close');
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(String(await once(socket, 'data'))).toMatch(/connection: close/i);
    socket.resume();
    socket.write(`POST ${ADD} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n<Client/>`);
    await asked(bridge.port, 'GET', READY);
    body.resolve('</Response>');
    await closed;
    expect(begun).toEqual(['GET']);
    const dropped = bridge.log.lines.find(({ event }) => event === 'call.not-begun');
    expect(dropped?.fields).toEqual({ verb: 'POST', reason: 'CONNECTION_ENDED' });
    await waits.over(LAME_DUCK);
    await stopped;
  });

  it('keeps an idle connection, and closes it with the listener', async () => {
    const { services: bridge, waits, stop } = await services();
    const idle = open(bridge.port);
    let said = '';
    let closed = false;
    idle.on('data', (chunk: Buffer) => (said += chunk.toString()));
    idle.on('close', () => (closed = true));
    idle.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await eventually('the answer', () => (wholeReply(said) ? true : undefined));
    const stopped = stop();
    expect(statusOf(await asked(bridge.port, 'GET', READY))).toBe(503);
    expect(closed).toBe(false);
    await waits.over(LAME_DUCK);
    await stopped;
    await eventually('its end', () => (closed ? true : undefined));
  });
});

describe('a slow reader during a stop', () => {
  /** Serves `list` a large reply when `large` says so, and ends the reply of `get` when `small` says so. */
  async function slowReader(): Promise<
    Stopping & Record<'large' | 'small', PromiseWithResolvers<undefined>> & Record<'slow' | 'other', Socket>
  > {
    const [large, small] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const stopping = await services(async ({ segments }) => {
      if (segments.includes('get'))
        return {
          body: (async function* () {
            yield '<Response>';
            await small.promise;
            yield '</Response>';
          })(),
        };
      await large.promise;
      return { body: 'x'.repeat(LARGE) };
    });
    const { port } = stopping.services;
    const [slow, other] = [open(port), open(port)];
    slow.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`);
    other.write(`GET /client.api/get/1?${KEYS} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(other, 'readable');
    return { ...stopping, large, small, slow, other };
  }

  const closes = async ({ services: { port }, waits }: Omit<Stopping, 'stop'>): Promise<void> => {
    await waits.over(LAME_DUCK);
    await eventually('the listener is closed', async () =>
      (await asked(port, 'GET', READY)) === '' ? true : undefined,
    );
  };

  it('gets the whole of a reply that ended before the listener closed', async () => {
    const { stop, large, small, slow, ...stopping } = await slowReader();
    large.resolve(undefined);
    await once(slow, 'readable');
    const stopped = stop();
    await closes(stopping);
    expect((await buffer(slow)).length).toBeGreaterThan(LARGE);
    small.resolve(undefined);
    await stopped;
  });

  it('gets the whole of a reply if that of somebody else ends meanwhile', async () => {
    const { stop, large, small, slow, other, ...stopping } = await slowReader();
    const stopped = stop();
    await closes(stopping);
    large.resolve(undefined);
    await once(slow, 'readable');
    small.resolve(undefined);
    expect(String(await buffer(other))).toContain('</Response>');
    expect((await buffer(slow)).length).toBeGreaterThan(LARGE);
    await stopped;
  });
});

describe('an open call at the end of a stop', () => {
  /** Stops while a call is under way; what the caller gets. */
  async function endOf(serve: Serve, verb: string, target: string): Promise<string> {
    let begun = false;
    const {
      services: bridge,
      waits,
      stop,
    } = await services((call, trace) => {
      begun = true;
      return serve(call, trace);
    });
    const reply = asked(bridge.port, verb, target, verb === 'POST' ? '<Client/>' : '');
    await eventually('the call', () => (begun ? true : undefined));
    const stopped = stop();
    await waits.over(LAME_DUCK);
    await waits.overAndHurry(GRACE);
    const text = await reply;
    await stopped;
    expect(bridge.log.lines.filter(({ event }) => event === 'call')).toHaveLength(1);
    expect(bridge.log.lines.find(({ event }) => event === 'call')?.fields.status).toBe(statusOf(text));
    return text;
  }

  const givenUp =
    (failure: Failure): Serve =>
    (call) =>
      new Promise((_resolve, reject) => {
        call.signal.addEventListener('abort', () => {
          reject(failure);
        });
      });

  it('gets a 504 with the reason if it is a write that was partly sent', async () => {
    const reply = await endOf(givenUp(new Failure('outcomeUnknown')), 'POST', ADD);
    expect(statusOf(reply)).toBe(504);
    expect(bodyOf(reply)).toMatch(failureForm);
    expect(bodyOf(reply)).toContain('outcome of this request is unknown');
  });

  it('gets a 503 if it is a read, or a write that was not sent', async () => {
    for (const [verb, target] of [
      ['POST', ADD],
      ['GET', LIST],
    ] as const) {
      const reply = await endOf(givenUp(new Failure('upstreamUnavailable')), verb, target);
      expect(statusOf(reply)).toBe(503);
      expect(reply).toMatch(/retry-after: 5/i);
      expect(bodyOf(reply)).toMatch(failureForm);
      expect(bodyOf(reply)).toContain('has not carried out this request');
    }
  });

  it('is answered even if it ignores the cancellation: a write as unknown, a read as not done', async () => {
    const deaf: Serve = () => new Promise(() => undefined);
    expect(statusOf(await endOf(deaf, 'POST', ADD))).toBe(504);
    expect(statusOf(await endOf(deaf, 'GET', LIST))).toBe(503);
  });

  it('counts as not done if the message of the write never came completely', async () => {
    let begun = false;
    const {
      services: bridge,
      waits,
      stop,
    } = await services(async (call) => {
      begun = true;
      await call.body.read(1_000);
      return { body: 'done' };
    });
    const reply = converse(
      bridge.port,
      `POST ${ADD} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n<Client>`,
    );
    await eventually('the call', () => (begun ? true : undefined));
    const stopped = stop();
    await waits.over(LAME_DUCK);
    await waits.overAndHurry(GRACE);
    expect(statusOf(await reply)).toBe(503);
    await stopped;
  });

  it('gets its reply if that comes within the grace time', async () => {
    let finish: (() => void) | undefined;
    const {
      services: bridge,
      waits,
      stop,
    } = await services(
      () =>
        new Promise((resolve) => {
          finish = () => {
            resolve({ body: 'finished' });
          };
        }),
    );
    const reply = asked(bridge.port, 'POST', ADD, '<Client/>');
    await eventually('the call', () => finish);
    const stopped = stop();
    await waits.over(LAME_DUCK);
    finish?.();
    expect(bodyOf(await reply)).toBe('finished');
    await stopped;
  });

  it('leaves no connection behind that keeps the stop waiting if its reply had begun before', async () => {
    const rest = Promise.withResolvers<string>();
    const long: Serve = () => ({
      body: (async function* () {
        yield '<Response>';
        yield await rest.promise;
      })(),
    });
    const { services: bridge, waits, stop } = await services(long);
    const socket = open(bridge.port);
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).not.toMatch(/connection: close/i);
    const stopped = stop();
    await waits.over(LAME_DUCK);
    await eventually('the listener is closed', async () =>
      (await asked(bridge.port, 'GET', READY)) === '' ? true : undefined,
    );
    rest.resolve('</Response>');
    await stopped;
  });

  it('is reset if half of its reply was sent over HTTP/1.0, because it would end like the whole', async () => {
    const half: Serve = () => ({
      body: (async function* () {
        yield '<Response>';
        await new Promise(() => undefined);
      })(),
    });
    const { services: bridge, waits, stop } = await services(half);
    const socket = open(bridge.port);
    const end = once(socket, 'end');
    socket.write(`GET ${LIST} HTTP/1.0\r\n\r\n`);
    await once(socket, 'data');
    const stopped = stop();
    await waits.over(LAME_DUCK);
    await waits.overAndHurry(GRACE);
    await expect(end).rejects.toMatchObject({ code: 'ECONNRESET' });
    await stopped;
  });
});
