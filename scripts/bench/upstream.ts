import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAGE_SIZE, pageV3, smallLegacy, smallV3, updatedLegacy, updatedV3 } from './documents.ts';

// A minimal service: fixed bytes for each address, made before the first request. Argument: the number of clients in
// the list. First line of output: the port.

const count = Number(process.argv[2] ?? 0);
const missing = Buffer.from('<Response><Status>ERROR</Status></Response>');
const small = { legacy: Buffer.from(smallLegacy()), v3: Buffer.from(smallV3()) };
const updated = { legacy: Buffer.from(updatedLegacy()), v3: Buffer.from(updatedV3()) };
const pages = Array.from({ length: Math.ceil(count / PAGE_SIZE) }, (_, at) =>
  Buffer.from(pageV3(at + 1, PAGE_SIZE, count)),
);
const whole = Buffer.from(pageV3(1, Math.max(1, count), count));

function answerTo(address: string): Buffer | undefined {
  // Also a receiver of traces.
  if (address === '/v1/traces') return Buffer.from('{}');
  if (address.startsWith('/v1/client.api/get/')) return small.legacy;
  if (address.startsWith('/numbers/client.api/get/')) return small.legacy;
  if (address.startsWith('/v3/client.api/get/')) return small.v3;
  if (address.startsWith('/v1/client.api/update')) return updated.legacy;
  if (address.startsWith('/v3/client.api/update')) return updated.v3;
  if (address.startsWith('/whole/')) return whole;
  if (!address.startsWith('/v3/client.api/list')) return undefined;
  const page = /[?&]page=(\d+)/.exec(address)?.[1];
  return pages[Number(page) - 1];
}

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const bytes = answerTo(request.url ?? '');
  const body = bytes ?? missing;
  response
    .writeHead(bytes === undefined ? 404 : 200, {
      'Content-Type': 'text/xml; charset=utf-8',
      'Content-Length': body.length,
    })
    .end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
