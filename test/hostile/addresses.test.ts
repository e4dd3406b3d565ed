import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY } from '../support/legacy.ts';
import { sendRaw } from '../support/raw.ts';
import { expectDialect } from './dialect.ts';
import { accounts, openEndpoint, type OpenEndpoint } from './endpoint.ts';
import { absoluteTargets, traversals } from './traversals.ts';
import { bodyIn } from './chunks.ts';

let endpoint: OpenEndpoint;

beforeAll(async () => {
  endpoint = await openEndpoint();
});

afterAll(async () => {
  await endpoint.close();
});

const keys = (accountKey: string): string => `apiKey=${API_KEY}&accountKey=${accountKey}`;
const withKeys = (target: string, accountKey: string): string =>
  `${target}${target.includes('?') ? '&' : '?'}${keys(accountKey)}`;

/** A path below one of the two roots that is a method of the API and cannot be read as anything else. */
function isCall(target: string): boolean {
  const path = target.split('?', 1)[0] ?? '';
  const [, root = '', family = '', method = '', ...rest] = path.split('/');
  const plain = (segment: string): boolean => {
    const text = decodeURIComponent(segment);
    return text !== '' && text !== '.' && text !== '..' && !/[/\\\u0000-\u001f]/.test(text);
  };
  const segments = rest.at(-1) === '' ? rest.slice(0, -1) : rest;
  return (
    ['v1', '3.0'].includes(root) &&
    /^[a-z]+\.api$/i.test(decodeURIComponent(family)) &&
    plain(method) &&
    segments.every(plain)
  );
}

/** To a server that decodes twice. */
function climbs(target: string): boolean {
  const path = decodeURIComponent(target.split('?', 1)[0] ?? '').replaceAll(/%(?![0-9a-f]{2})/gi, '%25');
  return /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:$|[/\\]|%2f|%5c)/i.test(path);
}

/** Bytes go out as they are: UTF-8 text is one request line. */
const line = (verb: string, target: string, host = '127.0.0.1'): string =>
  `${verb} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

describe.each(['migrated', 'legacy'] as const)('a call of a %s account', (account) => {
  it('never leaves the API by traversal in path, identifier or query', async () => {
    const strings = traversals();
    expect(strings.length).toBeGreaterThanOrEqual(500);
    const { arrived } = endpoint.recorder;
    const before = arrived.length;
    for (let at = 0; at < strings.length; at += 25) {
      const batch = strings.slice(at, at + 25);
      const replies = await Promise.all(
        batch.map((target) => sendRaw(endpoint.port, line('GET', withKeys(target, accounts[account])))),
      );
      for (const reply of replies) {
        if (reply === undefined) throw new Error('a connection died without a reply');
        expect([200, 400, 401, 404, 405, 500]).toContain(reply.status);
        expectDialect(reply.status, bodyIn(reply));
      }
    }
    const sent = arrived.slice(before);
    expect(sent.length).toBeGreaterThan(10);
    expect(sent.filter(({ target }) => climbs(target))).toEqual([]);
    expect(sent.filter(({ target }) => !isCall(target))).toEqual([]);
    expect(new Set(sent.map(({ host }) => host))).toEqual(new Set([new URL(endpoint.recorder.url).host]));
  });

  it('never leaves the API by traversal in identifiers of a message', async () => {
    const { arrived } = endpoint.recorder;
    const before = arrived.length;
    for (const id of [
      '../../x',
      '1000000/../../x',
      '..%2f..',
      '1000000?x=1',
      '1000000#x',
      'http://127.0.0.1:1/',
    ]) {
      const body = `<Client><ID>${id}</ID><Name>x</Name></Client>`;
      const target = withKeys('/client.api/update', accounts[account]);
      const head = `PUT ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: ${String(body.length)}\r\nConnection: close\r\n\r\n`;
      const reply = await sendRaw(endpoint.port, head + body);
      expect(reply?.status).toBe(200);
      expect(reply?.body).toContain('Invalid client identifier');
    }
    const paths = arrived.slice(before).map(({ target }) => target.split('?', 1)[0]);
    expect(paths.filter((path) => path !== '/v1/client.api/update')).toEqual([]);
  });

  it('reaches no other host by a whole address, CONNECT and the like', async () => {
    const { arrived } = endpoint.recorder;
    const before = arrived.length;
    for (const [verb, target, host] of absoluteTargets) {
      const reply = await sendRaw(
        endpoint.port,
        line(verb, target.replace('KEYS', keys(accounts[account])), host),
      );
      expect([400, 404, 405]).toContain(reply?.status);
      expectDialect(reply?.status ?? 0, reply === undefined ? '' : bodyIn(reply));
    }
    expect(arrived.slice(before)).toEqual([]);
  });

  it.each([
    ['the Host header', ''],
    ['the authority of a whole address', 'http://evil.example:1'],
    ['the authority of a whole address with a user', 'HTTPS://user:word@127.0.0.1:1'],
    ['slashes too many', '//'],
  ])('ignores %s', async (_what, prefix) => {
    const { arrived } = endpoint.recorder;
    const before = arrived.length;
    const target = withKeys('/client.api/get/1000000', accounts[account]);
    const reply = await sendRaw(endpoint.port, line('GET', prefix + target, 'evil.example:1'));
    expect(reply?.status).toBe(200);
    expect(arrived.slice(before).map(({ host }) => host)).toEqual([new URL(endpoint.recorder.url).host]);
    expect(arrived.slice(before).map(({ target: { length } }) => length)).not.toContain(0);
  });
});
