import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { eventually } from '../support/clock.ts';
import { KEYS, open, openTestServer, type TestServer } from './harness.ts';

const get = (id: number): string => `GET /client.api/get/${String(id)}?${KEYS} HTTP/1.1\r\nHost: x\r\n\r\n`;
const message = '<Client><Name>x</Name></Client>';
const add = (headers = '', body = message): string =>
  `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${String(message.length)}\r\n\r\n${body}`;

/** What comes back until the bridge closes the connection, each answer apart. */
async function answers(port: number, ...parts: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const socket = open(port);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return text.split(/(?=HTTP\/1\.1 )/);
}

/** Connections that nobody ends for being idle. */
const limits = { keepAlive: 60 * MINUTE };

/** A caller who never closes his side. */
function openStubborn(port: number, bytes: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined).resume();
  socket.write(bytes);
  return socket;
}

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Held extends TestServer {
  /** Paths of calls that have reached the bridge. */
  readonly begun: string[];
  readonly answer: () => void;
}

/** Calls get no answer before they may. */
async function openHeld(): Promise<Held> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const begun: string[] = [];
  const services = await openTestServer({
    limits,
    serve: async (call) => {
      if (call.verb === 'POST') await call.body.read(1_000);
      const path = call.segments.join('/');
      begun.push(path);
      await promise;
      return { body: path };
    },
  });
  return {
    ...services,
    begun,
    answer: () => {
      resolve(undefined);
    },
  };
}

const begun = (services: Held, count: number): Promise<unknown> =>
  eventually(`${String(count)} calls`, () => services.begun.length >= count || undefined);

describe('bytes after a complete request', () => {
  it.each([
    ['a NUL', '\0'],
    ['a line of text', 'GARBAGE\r\n\r\n'],
    ['a request that is none', 'GET nowhere HTTP/9.9\r\n\r\n'],
    ['a megabyte', 'x'.repeat(1_000_000)],
  ])('lose no reply, and the connection ends with it: %s', async (_name, stray) => {
    const services = await openHeld();
    const said = answers(services.port, add() + stray);
    await begun(services, 1);
    services.answer();
    const [answer, ...others] = await said;
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*client\.api\/add/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(others).toEqual([]);
  });

  it('lose no reply if the caller asked to close the connection', async () => {
    const services = await openHeld();
    const said = answers(services.port, `${add('Connection: close\r\n')}\0`);
    await begun(services, 1);
    services.answer();
    expect(await said).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[^]*client\.api\/add/)]);
  });

  it('lose no reply if they come while it is being written', async () => {
    const { promise: more, resolve: goOn } = Promise.withResolvers<undefined>();
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.from('<Response>begun ');
      await more;
      yield Buffer.from('ended</Response>');
    }
    const { port } = await openTestServer({ limits, serve: () => ({ body: slow() }) });
    const socket = open(port);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(get(1));
    await eventually('the first bytes', () => text.includes('begun') || undefined);
    socket.write('\0\0');
    socket.write('\0');
    goOn(undefined);
    await once(socket, 'close');
    expect(text).toContain('ended</Response>');
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('lose no reply of several calls on one connection', async () => {
    const services = await openHeld();
    const said = answers(services.port, `${get(1)}${get(2)}\0`);
    await begun(services, 2);
    services.answer();
    expect(await said).toEqual([
      expect.stringContaining('client.api/get/1'),
      expect.stringContaining('client.api/get/2'),
    ]);
  });

  it('lose no earlier reply if they are a broken message, whose refusal is sent separately', async () => {
    const services = await openHeld();
    const broken = `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n`;
    const said = answers(services.port, get(1) + broken);
    await begun(services, 1);
    services.answer();
    expect(await said).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[^]*client\.api\/get\/1/)]);
  });

  it('end the connection without a reply if the first one was faster', async () => {
    const { port } = await openTestServer({ limits });
    const socket = open(port);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(add());
    await eventually('the answer', () => text.includes('<Response />') || undefined);
    socket.write('\0');
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
});

describe('bytes that are not a request', () => {
  it('end the connection even if the caller keeps its side open', async () => {
    const { port } = await openTestServer({ limits });
    const refused = openStubborn(port, '\0');
    const answered = openStubborn(port, `${get(1)}\0`);
    // Only by writing on does he learn that nobody is there any more.
    for (const socket of [refused, answered])
      await eventually('the end', () => {
        if (!socket.destroyed) socket.write('x');
        return socket.destroyed || undefined;
      });
  });

  it.each([
    ['alone', '\0'],
    [
      'in the place of a chunk',
      `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n`,
    ],
  ])('are refused and end the connection: %s', async (_name, bytes) => {
    const { port } = await openTestServer({
      limits,
      serve: async (call) => {
        await call.body.read(1_000);
        return {};
      },
    });
    const [answer, ...others] = await answers(port, bytes, get(1));
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close/i);
    expect(others).toEqual([]);
  });
});
