import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAGE_SIZE } from './documents.ts';
import { CLIENT_TYPE_ROW, STAFF_ROW, v2Page, v2Rows } from './v2-documents.ts';

// The service's JSON API, reduced to a minimum: pages made before the first request. Arguments: the number of clients
// in the list, and how many of them differ before they repeat. First line of output: the port.

const [count = 0, different = count] = process.argv.slice(2).map(Number);
const pageCount = Math.ceil(count / PAGE_SIZE);
const differentPages = Math.ceil(different / PAGE_SIZE);
const missing = Buffer.from('{"error":{"message":"Not found"}}');
const list = (rows: readonly object[]): Buffer => Buffer.from(v2Page(rows, 1, 1));
const lists: Readonly<Record<string, Buffer>> = {
  '/v2/staff': list([STAFF_ROW]),
  '/v2/client-types': list([CLIENT_TYPE_ROW]),
  '/v2/archived': list([]),
};
const heads = Array.from({ length: pageCount }, (_, at) => {
  const text = v2Page([], at + 1, pageCount);
  const cut = text.indexOf('[]') + 1;
  return [Buffer.from(text.slice(0, cut)), Buffer.from(text.slice(cut))] as const;
});
const rows = Array.from({ length: differentPages }, (_, at) =>
  Buffer.from(JSON.stringify(v2Rows(at * PAGE_SIZE, Math.min((at + 1) * PAGE_SIZE, different))).slice(1, -1)),
);

function answerTo(address: string): readonly Buffer[] | undefined {
  const [path = '', query = ''] = address.split('?');
  const parameters = new URLSearchParams(query);
  if (path !== '/v2/clients') return lists[path] && [lists[path]];
  if (parameters.get('status') === 'archived') return [lists['/v2/archived'] ?? missing];
  const at = Number(parameters.get('page') ?? 1) - 1;
  const [begin, end] = heads[at] ?? [];
  const middle = rows[at % differentPages];
  return begin && middle && end && [begin, middle, end];
}

const server = createServer((request, response) => {
  const found = answerTo(request.url ?? '');
  const parts = found ?? [missing];
  response.writeHead(found === undefined ? 404 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': parts.reduce((sum, { length }) => sum + length, 0),
  });
  for (const part of parts) response.write(part);
  response.end();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
