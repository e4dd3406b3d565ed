import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamedBody } from '../../src/upstream/model.ts';
import { TransportFault } from '../../src/upstream/transport/outcome.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';

/** A body that leaves while it is read, over real connections. */

let server: Server | undefined;
const transport = new Transport({ answerMs: 10_000, stallMs: 10_000 });
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const opened = (server = createServer(serve));
  await new Promise<void>((done) => opened.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

interface Arrived {
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** What arrives of the next request; answers 200 at its end. */
async function receiving(): Promise<{ origin: string; arrived: Promise<Arrived> }> {
  const { promise, resolve } = Promise.withResolvers<Arrived>();
  const origin = await listen((request, response) => {
    let bytes = 0;
    const { headers } = request;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('error', () => undefined);
    request.on('close', () => {
      resolve({ headers, bytes, isWhole: request.complete });
    });
    request.on('end', () => response.end('<Response/>'));
  });
  return { origin, arrived: promise };
}

const body = (length: number | undefined, of: () => AsyncIterable<Buffer>): StreamedBody => ({
  length,
  isFresh: true,
  pieces: of,
});

async function* pieces(count: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(1_000, 'a');
}

const send = (origin: string, streamed: StreamedBody) =>
  transport.exchange({
    origin,
    path: '/',
    verb: 'POST',
    headers: streamed.length === undefined ? {} : { 'content-length': String(streamed.length) },
    body: streamed,
    signal: new AbortController().signal,
  });

describe('a body that is sent while it is read', () => {
  it('has its length in advance if that is known', async () => {
    const { origin, arrived } = await receiving();
    expect(
      (
        await send(
          origin,
          body(3_000, () => pieces(3)),
        )
      ).status,
    ).toBe(200);
    const { headers, bytes, isWhole } = await arrived;
    expect([headers['content-length'], bytes, isWhole]).toEqual(['3000', 3_000, true]);
  });

  it('is sent in chunks if its length is unknown', async () => {
    const { origin, arrived } = await receiving();
    expect(
      (
        await send(
          origin,
          body(undefined, () => pieces(3)),
        )
      ).status,
    ).toBe(200);
    const { headers, bytes, isWhole } = await arrived;
    expect([headers['transfer-encoding'], bytes, isWhole]).toEqual(['chunked', 3_000, true]);
  });

  it.each([5_000, undefined])(
    'that is cut off never looks complete to the service: length %s',
    async (length) => {
      const { origin, arrived } = await receiving();
      const stops = async function* (): AsyncGenerator<Buffer> {
        yield* pieces(2);
        throw new Error('the caller has gone');
      };
      const fault = await send(origin, body(length, stops)).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(TransportFault);
      expect(fault).toMatchObject({ sent: true });
      expect((await arrived).isWhole).toBe(false);
    },
  );

  it('is not read before it can be sent', async () => {
    let isAsked = false;
    const lazy = async function* (): AsyncGenerator<Buffer> {
      isAsked = true;
      yield* pieces(1);
    };
    const fault = await send('http://127.0.0.1:9', body(undefined, lazy)).catch((error: unknown) => error);
    expect(fault).toMatchObject({ kind: 'unreachable', sent: false });
    expect(isAsked).toBe(false);
  });
});
