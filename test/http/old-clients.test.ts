import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { KEYS, openTestServer, raw } from './harness.ts';

const list = `/client.api/list?${KEYS}`;
const line = (target: string, verb = 'GET'): string =>
  `${verb} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

/** Sends a request, ends its own side and reads until the server ends the other. */
function sendAndEnd(port: number, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('end', () => {
    socket.destroy();
    resolve(text);
  });
  socket.on('error', reject);
  socket.end(request);
  return promise;
}

describe('a request in the style of old clients', () => {
  it.each([
    ['two slashes before the family', `/${list}`],
    ['many slashes before the family', `////${list}`],
    ['a whole address, as if to a proxy', `http://legacy.example${list}`],
    ['a whole address in capitals with a port', `HTTP://LEGACY.EXAMPLE:8080${list}`],
    ['a whole address with two slashes', `https://legacy.example/${list}`],
  ])('with %s is the same call', async (_what, target) => {
    const seen: unknown[] = [];
    const { port } = await openTestServer({
      serve: ({ segments, verb, target: sent }) => {
        seen.push({ segments, verb, target: sent.reveal() });
        return {};
      },
    });
    expect((await raw(port, line(target))).status).toBe(200);
    expect(seen).toEqual([{ segments: ['client.api', 'list'], verb: 'GET', target: list }]);
  });

  it('with a whole address does not lead to the pages of another host', async () => {
    const { port } = await openTestServer();
    expect((await raw(port, line(`//_causeway/health/live`))).status).toBe(404);
  });

  it.each(['http://user@host:99999', 'http://a:b:c', 'http://[::1', 'http://', 'ftp://a:b:c'])(
    'with an unreadable host (%s) is refused before Express, which would log its keys',
    async (origin) => {
      const { port } = await openTestServer();
      for (const path of [list, `/_causeway/health/live?${KEYS}`]) {
        const { status, body } = await raw(port, line(`${origin}${path}`));
        expect(body).toContain('The address could not be read');
        expect(status).toBe(400);
      }
    },
  );

  it.each([
    ['breaks off', 5_000, () => Promise.reject<string>(new Error('gone'))],
    ['is not accepted', 50, () => Promise.resolve('x'.repeat(16 * 1024 * 1024))],
  ])(
    'over HTTP/1.0 is reset if its reply %s, because half of it would end like the whole',
    async (_, stall, next) => {
      const over = Promise.withResolvers<undefined>();
      const { port } = await openTestServer({
        stall,
        serve: () => ({
          body: (async function* () {
            try {
              yield '<Response>';
              for (;;) yield await next();
            } finally {
              over.resolve(undefined);
            }
          })(),
        }),
      });
      const socket = connect({ port, host: '127.0.0.1' });
      socket.write(`GET ${list} HTTP/1.0\r\n\r\n`);
      await over.promise;
      await expect(once(socket.resume(), 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    },
  );

  it('by HEAD gets the headers that GET gets, and no body', async () => {
    const { port } = await openTestServer({ serve: () => ({ body: '<Response>four</Response>' }) });
    const [get, head] = [await raw(port, line(list)), await raw(port, line(list, 'HEAD'))];
    const lasting = ({ head: text }: typeof get): string =>
      text.replace(/x-request-id: \S+|date: [^\r]+/gi, '');
    expect(head.body).toBe('');
    expect(lasting(head)).toBe(lasting(get));
  });

  it('by HEAD for a long list reads only its first part', async () => {
    let parts = 0;
    const { port } = await openTestServer({
      serve: () => ({
        body: (async function* () {
          for (; parts < 100; parts += 1) yield '<Client />';
        })(),
      }),
    });
    const reply = await raw(port, line(list, 'HEAD'));
    expect(reply).toMatchObject({ status: 200, body: '' });
    expect(parts).toBe(0);
  });
});

describe('a program that closes its side of the connection', () => {
  it('right after its request gets its reply', async () => {
    const release = Promise.withResolvers<undefined>();
    const { port } = await openTestServer({
      serve: async () => {
        await release.promise;
        return { body: '<Response>whole</Response>' };
      },
      limits: { halfClosed: 3_600_000 },
    });
    const answer = sendAndEnd(port, line(list));
    setImmediate(() => {
      release.resolve(undefined);
    });
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*<Response>whole<\/Response>$/);
  });

  it('does not count as having received the reply, because it may have left', async () => {
    const told: boolean[] = [];
    const release = Promise.withResolvers<undefined>();
    const { port } = await openTestServer({
      serve: async () => {
        await release.promise;
        return { delivered: (isTold) => told.push(isTold) };
      },
      limits: { halfClosed: 3_600_000 },
    });
    const answer = sendAndEnd(port, line(list));
    // The server has handled what arrived before these.
    for (let at = 0; at < 3; at += 1) await raw(port, line('/client.api/list'));
    release.resolve(undefined);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(told).toEqual([false]);
  });

  it('later than that has abandoned the call', async () => {
    const gone = Promise.withResolvers<undefined>();
    const { port } = await openTestServer({
      serve: async ({ signal }) => {
        signal.addEventListener('abort', () => {
          gone.resolve(undefined);
        });
        await gone.promise;
        return {};
      },
      limits: { halfClosed: 0 },
    });
    expect(await sendAndEnd(port, line(list))).toBe('');
    await gone.promise;
  });
});
