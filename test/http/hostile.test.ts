import { describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock.ts';
import { converse, failureForm, KEYS, openTestServer, raw } from './harness.ts';

const line = (target: string, verb = 'GET'): string => `${verb} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
const list = `/client.api/list?${KEYS}`;

/** Name, bytes, status. */
const hostile: readonly (readonly [string, string | Buffer, number])[] = [
  ['the root', line('/'), 404],
  ['a path without a family', line(`/favicon.ico?${KEYS}`), 404],
  ['a family without a method', line(`/client.api?${KEYS}`), 404],
  ['a family without a method, with a slash', line(`/client.api/?${KEYS}`), 404],
  ['TRACE', line(list, 'TRACE'), 405],
  ['OPTIONS', line(list, 'OPTIONS'), 405],
  ['OPTIONS for the server', line('*', 'OPTIONS'), 400],
  ['PATCH', line(list, 'PATCH'), 405],
  ['a verb of WebDAV', line(list, 'PROPFIND'), 405],
  ['a verb nobody knows', line(list, 'FROBNICATE'), 400],
  ['CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  [
    'an upgrade',
    `GET /client.api HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    404,
  ],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a whole address without keys', line('http://other.example/client.api/list'), 401],
  ['a whole address of another scheme', line('ftp://other.example/client.api/list'), 400],
  ['an authority alone', line(`http://other.example?${KEYS}`), 400],
  ['a whole address that is none', line('http://['), 400],
  ['a broken percent in the path', line(`/client.api/get/%zz?${KEYS}`), 400],
  ['half a percent in the path', line(`/client.api/get/1%?${KEYS}`), 400],
  ['a NUL in the path', line(`/client.api/get/1%00?${KEYS}`), 400],
  ['a line break in the path', line(`/client.api/get/1%0d%0aX:%201?${KEYS}`), 400],
  ['no UTF-8 in the path', line(`/client.api/get/%ff?${KEYS}`), 400],
  ['dots', line(`/client.api/../list?${KEYS}`), 400],
  ['one dot', line(`/client.api/./list?${KEYS}`), 400],
  ['encoded dots', line(`/client.api/%2e%2e/list?${KEYS}`), 400],
  ['dots between spaces', line(`/job.api/get/%20..%20?${KEYS}`), 400],
  ['one dot between spaces', line(`/job.api/get/%20.%20/customfield?${KEYS}`), 400],
  ['a line break behind a number', line(`/client.api/get/1%0d%0a?${KEYS}`), 400],
  ['an encoded slash', line(`/client.api/get%2f1?${KEYS}`), 400],
  ['an encoded slash before nothing', line(`/quote.api/get/1%2f?${KEYS}`), 400],
  ['two encoded slashes', line(`/quote.api/get/1%2f%2f2?${KEYS}`), 400],
  ['encoded dots behind a number', line(`/quote.api/get/1%2f..%2f2?${KEYS}`), 400],
  ['dots of another kind behind a number', line(`/quote.api/get/1%2f%E2%80%A4%E2%80%A4%2f2?${KEYS}`), 400],
  ['encoded dots before a number', line(`/quote.api/get/..%2f1?${KEYS}`), 400],
  ['a backslash', line(`/client.api\\list?${KEYS}`), 400],
  ['an encoded backslash', line(`/client.api/%5c..%5clist?${KEYS}`), 400],
  ['another host behind two slashes', line(`//other.example/client.api/list?${KEYS}`), 404],
  ['two slashes inside', line(`/client.api//list?${KEYS}`), 400],
  ['two slashes at the end', line(`/client.api/list//?${KEYS}`), 400],
  ['a fragment', line(`/client.api/list?${KEYS}#x`), 400],
  ['raw bytes in the address', Buffer.from(line(`/client.api/search?${KEYS}&query=é`), 'utf8'), 400],
  ['no keys', line('/client.api/list'), 401],
  ['an empty key', line('/client.api/list?apiKey=K&accountKey='), 401],
  ['a key twice', line(`/client.api/list?${KEYS}&apiKey=B`), 400],
  ['a key twice, in another case', line(`/client.api/list?${KEYS}&ACCOUNTKEY=B`), 400],
  ['a key twice, encoded', line(`/client.api/list?${KEYS}&account%4bey=B`), 400],
  ['a NUL in the query', line(`/client.api/list?${KEYS}&query=%00`), 400],
  ['a query of 3,000 characters', line(`/client.api/list?${KEYS}&query=${'x'.repeat(3_000)}`), 400],
  ['an address of 20,000 characters', line(`/client.api/list?${'x'.repeat(20_000)}`), 431],
  [
    'a header of 20,000 characters',
    `GET ${list} HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
  ],
  ['no host', `GET ${list} HTTP/1.1\r\n\r\n`, 400],
  ['two hosts', `GET ${list} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`, 400],
  ['a length and chunks', post('Content-Length: 4\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), 400],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 4', '0\r\n\r\n'), 400],
  ['two lengths', post('Content-Length: 4\r\nContent-Length: 5', 'abcde'), 400],
  ['two equal lengths', post('Content-Length: 4\r\nContent-Length: 4', 'abcd'), 400],
  ['a negative length', post('Content-Length: -1', ''), 400],
  ['a length with a sign', post('Content-Length: +4', 'abcd'), 400],
  ['a coding nobody knows', post('Transfer-Encoding: xchunked', '0\r\n\r\n'), 400],
  [
    'a coding hidden by a tab',
    post('Transfer-Encoding:\tchunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'),
    400,
  ],
  ['a space before the colon', post('Content-Length : 4', 'abcd'), 400],
  ['a folded header', post('X: a\r\n b: c\r\nContent-Length: 4\r\n\tx', 'abcd'), 400],
  ['a bare line feed', `GET ${list} HTTP/1.1\nHost: x\n\n`, 400],
  ['a version nobody knows', `GET ${list} HTTP/3.7\r\nHost: x\r\n\r\n`, 400],
  ['another expectation', post('Content-Length: 4\r\nExpect: 200-maybe', 'abcd'), 400],
  ['gzip', post('Content-Length: 4\r\nContent-Encoding: gzip', 'abcd'), 415],
  ['two codings', post('Content-Length: 4\r\nContent-Encoding: identity, br', 'abcd'), 415],
  ['binary', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), 400],
  ['a header with NUL', `GET ${list} HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n`, 400],
];

function post(headers: string, body: string): string {
  return `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
}

describe('an invalid request', () => {
  it.each(hostile)('with %s is refused in the legacy form', async (_name, bytes, status) => {
    let reached = 0;
    const { port, log } = await openTestServer({
      serve: () => {
        reached += 1;
        return {};
      },
    });
    const reply = await raw(port, bytes);
    expect(reply.status).toBe(status);
    if (status === 405) expect(reply.head).toContain('\r\nAllow: GET, POST, PUT, DELETE\r\n');
    expect(reply.body).toMatch(failureForm);
    // In its usual spelling: a public PHP client reads nothing otherwise.
    expect(reply.head).toContain('\r\nContent-Type: text/xml; charset=utf-8\r\n');
    expect(reply.head).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    expect(reply.head).toMatch(/x-causeway-source: bridge/i);
    expect(reply.head).not.toMatch(/x-powered-by|etag/i);
    expect(reached).toBe(0);
    expect(JSON.stringify(log.lines)).not.toMatch(/SECRET/);
    await eventually(`its line, of status ${String(status)}`, () =>
      log.lines.find(({ event, fields }) => event === 'call' && fields.status === status),
    );
  });

  it('gets a refusal that names the method if the address has one', async () => {
    const { port } = await openTestServer();
    const replies = await Promise.all(
      [
        '/client.api/list',
        '/CLIENT.API/ADD',
        '/client.api/get/%zz',
        '/%63lient.api/%6cist',
        '/client.api',
        '/',
      ].map((target) => raw(port, line(target))),
    );
    const names = replies.map(({ body }) => /api-method="([^"]*)"/.exec(body)?.[1]);
    expect(names).toEqual(['List', 'Add', 'Get', 'List', undefined, undefined]);
  });

  it('gets a refusal that names the method of an address that was too long', async () => {
    const { port } = await openTestServer();
    const { body } = await raw(port, line(`/client.api/list?${'x'.repeat(20_000)}`));
    expect(body).toMatch(/api-method="List"/);
  });

  it('by HEAD gets the headers of its refusal alone', async () => {
    const { port } = await openTestServer();
    const { status, head, body } = await raw(
      port,
      `HEAD /client.api/list HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect({ status, body }).toEqual({ status: 401, body: '' });
    expect(head).toMatch(/content-type: text\/xml/i);
    expect(head).toMatch(/content-length: [1-9]/i);
  });
});

describe('a message with an unsupported content coding', () => {
  it.each([`/client.api/add?${KEYS}`, '/_causeway/health/live', '/_causeway/api/me', '/_causeway/console'])(
    'is refused everywhere, and the rest of its connection is ignored: %s',
    async (path) => {
      const { port } = await openTestServer();
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`;
      const text = await converse(port, `${head}0\r\n\r\n`, () => false);
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toMatch(/\r\nconnection: close\r\n/i);
    },
  );
});

describe('a message with ambiguous framing', () => {
  it.each([
    ['two hosts', `GET ${list} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`],
    ['no host', `GET ${list} HTTP/1.1\r\n\r\n`],
    ['another expectation', post('Content-Length: 4\r\nExpect: 200-maybe', 'abcd')],
  ])('is the last that is read from its connection: %s', async (_name, message) => {
    let reached = 0;
    const { port } = await openTestServer({
      serve: () => {
        reached += 1;
        return {};
      },
    });
    const text = await converse(port, message + line(list), (said) => said.split('HTTP/1.1 ').length > 2);
    expect(text.split(/(?=HTTP\/1\.1 )/)).toEqual([expect.stringMatching(/^HTTP\/1\.1 400 /)]);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(reached).toBe(0);
  });
});

describe('a request head that never ends', () => {
  it('is refused and cut off', async () => {
    const { port } = await openTestServer({ limits: { headers: 200 } });
    const reply = await raw(port, `GET ${list} HTTP/1.1\r\nHost: x\r\nX: `);
    expect(reply.status).toBe(408);
    expect(reply.body).toMatch(failureForm);
  });
});
