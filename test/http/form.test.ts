import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { readForm } from '../../src/http/server/body/form.ts';

const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** What a form that arrives like this is read as, and whether anything came of it at all. */
async function read(
  body: string,
  headers: readonly string[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const app = express();
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams | undefined>();
  app.use((request, response) => {
    readForm(request, 64, { patience: 50, bytesPerSecond: 1_000, longest: 200 })
      .then(resolve, reject)
      .finally(() => response.end());
  });
  const server = createServer(app);
  open.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  const type = 'Content-Type: application/x-www-form-urlencoded';
  socket.write(['POST / HTTP/1.1', 'Host: x', type, ...headers, '', body].join('\r\n'));
  const form = await promise;
  socket.destroy();
  return form && Object.fromEntries(form);
}

describe('a form', () => {
  it('is parsed', async () => {
    expect(await read('a=1&b=%26', ['Content-Length: 9'])).toEqual({ a: '1', b: '&' });
  });

  it.each([
    ['never ends', 'a=1', ['Content-Length: 60']],
    ['announces more than is taken', '', ['Content-Length: 65']],
    ['never ends, in pieces', '3\r\na=1\r\n', ['Transfer-Encoding: chunked']],
    [
      'is longer than is taken, in pieces',
      `41\r\n${'a'.repeat(65)}\r\n0\r\n\r\n`,
      ['Transfer-Encoding: chunked'],
    ],
    ['is compressed', 'a=1', ['Content-Length: 3', 'Content-Encoding: gzip']],
  ])('that %s is refused, and delays no one', async (_how, body, headers) => {
    expect(await read(body, headers)).toBeUndefined();
  });
});
