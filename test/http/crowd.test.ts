import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock.ts';
import type { ServerLimits } from '../../src/http/server/server.ts';
import { converse, failureForm, KEYS, openTestServer, raw, type TestServer } from './harness.ts';

const get = (id: number): string => `GET /client.api/get/${String(id)}?${KEYS} HTTP/1.1\r\nHost: x\r\n\r\n`;

const put = (id: number): string =>
  `PUT /client.api/update/${String(id)}?${KEYS} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n<Client />`;

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection from one of the addresses of this machine, served once, and kept. */
async function settle(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(get(1));
  await once(socket, 'data');
  return socket;
}

interface SlowService extends TestServer {
  /** The calls that were begun, in order. */
  readonly begun: readonly string[];
  /** Ends the oldest one. */
  readonly end: () => void;
}

async function slowService(limits: Partial<ServerLimits> = {}): Promise<SlowService> {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const server = await openTestServer({
    limits,
    serve: async ({ verb, segments }) => {
      const name = `${verb} ${segments.at(-1) ?? ''}`;
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return { body: name };
    },
  });
  return { ...server, begun, end: () => ends.shift()?.() };
}

describe('the connections of one address', () => {
  const limits = { share: 3 };

  it('are limited: one too many is refused in the legacy form, and closed', async () => {
    let served = 0;
    const { port, log } = await openTestServer({
      limits,
      serve: () => {
        served += 1;
        return {};
      },
    });
    for (let count = 0; count < 3; count += 1) await settle(port, '127.0.0.1');
    const text = await converse(port, get(1), () => false);
    const [head = '', body] = text.split('\r\n\r\n');
    expect([text.slice(9, 12), /\r\nconnection: close/i.test(head)]).toEqual(['503', true]);
    expect(body).toMatch(failureForm);
    expect(served).toBe(3);
    expect(log.lines.map(({ fields }) => fields.reason)).toContain('ADDRESS_SHARE');
    expect((await settle(port, '127.0.0.2')).destroyed).toBe(false);
  });

  it('count while they are open', async () => {
    const { port } = await openTestServer({ limits });
    const [first] = [
      await settle(port, '127.0.0.1'),
      await settle(port, '127.0.0.1'),
      await settle(port, '127.0.0.1'),
    ];
    first.destroy();
    await eventually('a place', async () => ((await raw(port, get(1))).status === 200 ? true : undefined));
  });

  it('are not limited behind a trusted proxy, which sends every call', async () => {
    const { port } = await openTestServer({ limits, trusted: [{ address: '127.0.0.1', prefix: 32 }] });
    for (let count = 0; count < 6; count += 1) await settle(port, '127.0.0.1');
    expect((await raw(port, get(1))).status).toBe(200);
  });
});

describe('pipelined calls', () => {
  it('are served in order up to a limit, and nothing after the refused one is executed', async () => {
    const served: string[] = [];
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { port } = await openTestServer({
      limits: { pipelined: 4 },
      serve: async ({ segments }) => {
        served.push(segments.at(-1) ?? '');
        await promise;
        return { body: segments.join('/') };
      },
    });
    const said = converse(port, Array.from({ length: 500 }, (_, id) => get(id)).join(''), () => false);
    await eventually('the calls', () => served.length >= 4 || undefined);
    resolve(undefined);
    const answers = (await said).split(/(?=HTTP\/1\.1 )/);
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '200', '200', '200', '503']);
    expect(answers.at(-1)).toMatch(/\r\nconnection: close\r\n/i);
    expect(served).toEqual(['0', '1', '2', '3']);
  });

  it('run up to the same limit however many are sent', async () => {
    let served = 0;
    const { port, log } = await openTestServer({
      limits: { pipelined: 4 },
      serve: () => {
        served += 1;
        return new Promise(() => undefined);
      },
    });
    const text = get(1).repeat(100_000);
    const socket = connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', () => undefined).write(text);
    await eventually('the refusal', () => log.lines.find(({ fields }) => fields.reason === 'PIPELINED'));
    expect(served).toBe(4);
  });

  it('are unlimited if they come one after the other', async () => {
    const { port } = await openTestServer({ limits: { pipelined: 2 } });
    const socket = await settle(port, '127.0.0.1');
    for (let call = 0; call < 20; call += 1) {
      socket.write(get(call));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString('latin1').slice(9, 12)).toBe('200');
    }
  });

  describe('with a write among them', () => {
    it('are carried out one after the other, in order', async () => {
      const { port, begun, end } = await slowService();
      const said = converse(port, put(1) + put(2) + get(3) + get(4) + put(5), (text) =>
        text.endsWith('PUT 5'),
      );
      const steps = [['PUT 1'], ['PUT 2'], ['GET 3', 'GET 4'], [], ['PUT 5']];
      for (const step of steps.keys()) {
        const expected = steps.slice(0, step + 1).flat();
        await eventually('the calls', () => begun.length >= expected.length || undefined);
        expect(begun).toEqual(expected);
        end();
      }
      expect((await said).match(/(?:PUT|GET) \d/g)).toEqual(begun);
    });

    it('are dropped with their connection while they wait', async () => {
      const { port, begun, end, log } = await slowService();
      const socket = connect({ port, host: '127.0.0.1' });
      sockets.push(socket);
      socket.write(put(1) + put(2) + get(3));
      await eventually('the first call', () => begun.length > 0 || undefined);
      socket.destroy();
      await once(socket, 'close');
      end();
      await eventually('its line in the log', () => log.lines.find(({ event }) => event === 'call'));
      expect(log.lines.filter(({ event }) => event === 'call.not-begun')).toEqual(
        ['PUT', 'GET'].map((verb) => ({
          ...{ level: 'info', event: 'call.not-begun', fields: { verb, reason: 'CONNECTION_LOST' } },
        })),
      );
      const next = raw(port, get(3));
      await eventually('the next call', () => begun.length > 1 || undefined);
      end();
      expect([(await next).status, begun]).toEqual([200, ['PUT 1', 'GET 3']]);
    });

    it('are refused at the end of a stop while they wait', async () => {
      const { port, begun, end, server, log } = await slowService({ grace: 1 });
      const said = converse(port, put(1) + put(2) + put(3), () => false);
      await eventually('the first call', () => begun.length > 0 || undefined);
      const stopped = server.stop();
      const answers = (await said).split(/(?=HTTP\/1\.1 )/);
      end();
      await stopped;
      expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['504', '503']);
      expect(answers[1]?.split('\r\n\r\n')[1]).toMatch(failureForm);
      expect(answers[1]).toMatch(/\r\nRetry-After: 5\r\n[^]*has not carried out this request; send it again/);
      expect(begun).toEqual(['PUT 1']);
      const fieldsOf = (wanted: string) =>
        log.lines.filter(({ event }) => event === wanted).map(({ fields }) => fields);
      expect(fieldsOf('call')).toContainEqual(
        expect.objectContaining({ verb: 'PUT', status: 503, failure: 'stopping', reason: undefined }),
      );
      expect(fieldsOf('call.not-begun')).toEqual([{ verb: 'PUT', reason: 'STOPPED' }]);
    });
  });
});
