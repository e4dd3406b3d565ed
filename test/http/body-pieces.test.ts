import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { defaultPace, RequestBody, type Pace } from '../../src/http/server/body/body.ts';
import { Failure } from '../../src/lib/failure.ts';

/** A caller's body that is taken piece by piece. */

const servers: Server[] = [];
const callers: Socket[] = [];
afterEach(async () => {
  for (const caller of callers.splice(0)) caller.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** What is received of a request that begins with this head; `write` sends more of it. */
async function receive(
  head: string,
  { pace = defaultPace, limit = 1_000_000 }: { pace?: Pace; limit?: number } = {},
): Promise<{ caller: Socket; first: Promise<undefined>; received: Promise<string> }> {
  const request = Promise.withResolvers<IncomingMessage>();
  const opened = createServer((given) => {
    request.resolve(given);
  });
  servers.push(opened);
  await new Promise<void>((done) => opened.listen(0, '127.0.0.1', done));
  const socket = connect((opened.address() as AddressInfo).port, '127.0.0.1');
  callers.push(socket);
  socket.on('error', () => undefined);
  socket.write(head);
  const first = Promise.withResolvers<undefined>();
  const received = (async () => {
    const body = new RequestBody(await request.promise, () => undefined, pace);
    let text = '';
    for await (const piece of body.pieces(limit)) {
      text += piece.toString();
      first.resolve(undefined);
    }
    return text;
  })().catch((error: unknown) => (error instanceof Failure ? `${error.code}: ${error.text}` : String(error)));
  return { caller: socket, first: first.promise, received };
}

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\n';

describe('a body that arrives in pieces', () => {
  it('is read completely, with a length and in chunks', async () => {
    const known = await receive(`${HEAD}Content-Length: 6\r\n\r\nabc`);
    await known.first;
    known.caller.write('def');
    expect(await known.received).toBe('abcdef');
    const chunked = await receive(
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
    );
    expect(await chunked.received).toBe('abcde');
  });

  it.each(['Content-Length: 6\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'])(
    'is never treated as complete if it ends too early: %j',
    async (rest) => {
      for (const end of ['destroy', 'end'] as const) {
        const { caller: socket, first, received } = await receive(HEAD + rest);
        await first;
        socket[end]();
        expect(await received).toBe('badRequest: The message ended too early');
      }
    },
  );

  it('is refused beyond its limit, at once if the length is announced', async () => {
    const announced = await receive(`${HEAD}Content-Length: 6\r\n\r\n`, { limit: 5 });
    expect(await announced.received).toMatch(/^bodyTooLarge/);
    const chunked = await receive(`${HEAD}Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n`, { limit: 5 });
    expect(await chunked.received).toMatch(/^bodyTooLarge/);
  });

  it('is refused if it arrives too slowly', async () => {
    const pace = { patience: 1, bytesPerSecond: 1_000_000, longest: 60_000 };
    const { received } = await receive(`${HEAD}Content-Length: 6\r\n\r\na`, { pace });
    expect(await received).toMatch(/^tooSlow/);
  });
});
