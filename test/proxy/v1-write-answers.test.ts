import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { V1Client } from '../../src/upstream/v1.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { bulkheadTo } from '../upstream/bench.ts';
import { callOf, closeWorlds, refusal, textOf, world, type World } from './world.ts';

/** What V1 answers to a write, byte by byte over a real connection, and what the caller and the ledger make of it. */

const servers: Server[] = [];
afterEach(async () => {
  await closeWorlds();
  for (const server of servers.splice(0)) await new Promise((done) => server.close(done));
});

const OK = '<Response><Status>OK</Status><Client><ID>7</ID></Client></Response>';
const head = (line: string, ...headers: readonly string[]): string =>
  [`HTTP/1.1 ${line}`, 'Content-Type: text/xml', ...headers, '', ''].join('\r\n');

/** A V1 that says these bytes to whatever it is asked, and hangs up. */
async function saying(bytes: string, retryAfterMeansNotDone = false): Promise<World> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bulkhead = bulkheadTo(origin, { transport: new Transport({ answerMs: 2_000, stallMs: 2_000 }) });
  const lane = new V1Client({ root: `${origin}/v1`, bulkhead, resendMs: 1, retryAfterMeansNotDone });
  return world({
    stage: 'legacy',
    ledger: true,
    v1: async (request) => {
      const { status, headers, body } = await lane.pass(request);
      return { status, headers: { ...headers }, body: body as AsyncGenerator<Buffer> };
    },
  });
}

const LINE = 'POST client.api/add';
const message = { body: '<Client><Name>n</Name></Client>' };
const stateOf = async (to: World): Promise<string | undefined> => (await to.store.writes.find('r'))?.state;

const cut = [
  ['a body that is shorter than its length', head('200 OK', `Content-Length: ${OK.length + 9}`) + OK],
  ['a last chunk that does not come', `${head('200 OK', 'Transfer-Encoding: chunked')}5\r\n<Resp\r\n`],
  ['a chunk that is cut', `${head('200 OK', 'Transfer-Encoding: chunked')}ff\r\n${OK}`],
  ['no body', head('200 OK', 'Content-Length: 0')],
  ['204', head('204 No Content')],
  ['a redirection', head('302 Found', 'Location: /', 'Content-Length: 0')],
  ['100 and nothing more', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['nothing', ''],
  ['half a header', 'HTTP/1.1 200 OK\r\nContent-Ty'],
  ['500', head('500 Internal Server Error', `Content-Length: ${OK.length}`) + OK],
  [
    '503 with Retry-After',
    head('503 Service Unavailable', 'Retry-After: 5', `Content-Length: ${OK.length}`) + OK,
  ],
] as const;

describe('a write to V1', () => {
  it.each(cut)('with a reply that is %s has an unknown outcome', async (_, bytes) => {
    const to = await saying(bytes);
    expect((await refusal(to, LINE, message)).code).toBe('outcomeUnknown');
    expect(await stateOf(to)).toBe('unknown');
  });

  it('was not carried out if 503 with Retry-After means that', async () => {
    const bytes = head('503 Service Unavailable', 'Retry-After: 5', 'Content-Length: 0');
    const to = await saying(bytes, true);
    expect(await refusal(to, LINE, message)).toMatchObject({ code: 'upstreamUnavailable', retryAfter: 5 });
    expect(await stateOf(to)).toBe('refused');
  });

  it.each([
    ['of a known length', head('200 OK', `Content-Length: ${OK.length}`) + OK],
    [
      'in chunks',
      `${head('200 OK', 'Transfer-Encoding: chunked')}${OK.length.toString(16)}\r\n${OK}\r\n0\r\n\r\n`,
    ],
    ['behind 103', `HTTP/1.1 103 Early Hints\r\n\r\n${head('200 OK', `Content-Length: ${OK.length}`)}${OK}`],
    ['without a length, to the end of the connection', head('200 OK', 'Connection: close') + OK],
  ])('with a complete reply, %s, gets it unchanged', async (_, bytes) => {
    const to = await saying(bytes);
    const reply = await to.bridge.serve(callOf(LINE, message));
    expect(await textOf(reply)).toBe(OK);
  });

  it('with a reply too long to be held gets it streamed, and its number is kept', async () => {
    const long = OK.replace('</Response>', `<!--${'x'.repeat(100_000)}--></Response>`);
    const to = await saying(head('200 OK', `Content-Length: ${long.length}`) + long);
    const reply = await to.bridge.serve(callOf(LINE, message));
    expect(await textOf(reply)).toBe(long);
    reply.delivered?.(false);
    const again = await to.bridge.serve(callOf(LINE, { ...message, requestId: 'again' }));
    expect(await textOf(again)).toContain('<ID>7</ID>');
    expect(again.headers?.['X-Causeway-Joined']).toBe('r');
  });
});
