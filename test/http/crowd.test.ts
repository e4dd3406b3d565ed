import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock.ts';
import { converse, failureForm, KEYS, openTestServer, raw } from './harness.ts';

const get = (id: number): string => `GET /client.api/get/${String(id)}?${KEYS} HTTP/1.1\r\nHost: x\r\n\r\n`;

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
});
