import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** A service in a thread of its own that accepts any request, and answers with the size it is asked for. */

const UUID = 'd0000000-0000-4000-8000-000000000001';
const sizeIn = (address: string): number => Number(/=(\d{7,})(?:&|$)/.exec(address)?.[1] ?? 0);

const note = 'Agreed on the telephone &amp; confirmed by Zoë. ';

/** One record with one long text. */
const longXml = (size: number): string =>
  `<Response><Status>OK</Status><Client><UUID>c1000000-0000-4000-8000-000001000000</UUID><Name>x</Name><Notes><Note><Title>t</Title><Text>${note.repeat(size / note.length)}</Text></Note></Notes></Client></Response>`;

function listXml(size: number): string {
  const one = (index: number): string =>
    `<Client><UUID>c1000000-0000-4000-8000-${String(1_000_000 + index).padStart(12, '0')}</UUID><Name>Harbour ${index}</Name><Notes><Note><Title>t</Title><Text>${note.repeat(20)}</Text></Note></Notes></Client>`;
  const records = Array.from({ length: Math.ceil(size / one(0).length) }, (_, index) => one(index));
  return `<Response><Status>OK</Status><Clients>${records.join('')}</Clients></Response>`;
}

function listJson(size: number): string {
  const one = (index: number): object => ({
    uuid: `c1000000-0000-4000-8000-${String(1_000_000 + index).padStart(12, '0')}`,
    name: `Harbour ${index}`,
    notes: [{ title: 't', text: note.repeat(20) }],
  });
  const length = Math.ceil(size / JSON.stringify(one(0)).length);
  const data = Array.from({ length }, (_, index) => one(index));
  return JSON.stringify({ data, meta: { pagination: { page: 1, total_pages: 1 } } });
}

const longJson = (size: number): string =>
  JSON.stringify({
    data: { uuid: UUID, name: 'x', notes: [{ title: 't', text: note.repeat(size / note.length) }] },
  });

const made = new Map<string, Buffer>();
function once(name: string, make: () => string): Buffer {
  const known = made.get(name) ?? Buffer.from(make());
  made.set(name, known);
  return known;
}

function answerTo(verb: string, address: string): readonly [type: string, body: Buffer] {
  const size = sizeIn(address);
  if (address.startsWith('/v2/')) {
    if (verb !== 'GET') return ['application/json', Buffer.from(JSON.stringify({ data: { uuid: UUID } }))];
    if (!address.startsWith('/v2/clients')) return ['application/json', Buffer.from(EMPTY_LIST)];
    const isRecord = address.startsWith('/v2/clients/');
    return ['application/json', once(`json ${address}`, () => (isRecord ? longJson(LONG) : listJson(size)))];
  }
  if (verb !== 'GET')
    return [
      'text/xml',
      Buffer.from(`<Response><Status>OK</Status><UUID>${UUID}</UUID><ID>1</ID></Response>`),
    ];
  return ['text/xml', once(`xml ${address}`, () => (size > 0 ? listXml(size) : longXml(LONG)))];
}

const EMPTY_LIST = '{"data":[],"meta":{"pagination":{"page":1,"total_pages":1}}}';
const LONG = 15 * 1_048_576;

const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const [type, body] = answerTo(request.method ?? '', request.url ?? '');
    response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
});
