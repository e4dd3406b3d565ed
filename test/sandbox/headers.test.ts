import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { Playground } from './playground.ts';

let at: Playground;
let head: (path: string, headers?: readonly string[]) => Promise<readonly string[]>;

beforeAll(async () => {
  at = await Playground.open();
  head = async (path, headers = []) => {
    const text = await raw([`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers]);
    return text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n').slice(1);
  };
});

afterAll(() => at.close());

/** What a socket carries, before anything folds the names of header fields. */
const raw = (lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    connect(at.port, '127.0.0.1')
      .once('error', reject)
      .on('data', (part) => parts.push(part))
      .once('close', () => {
        resolve(Buffer.concat(parts).toString('latin1'));
      })
      .write([...lines, '', ''].join('\r\n'));
  });

const keys = 'apiKey=k&accountKey=A1';

describe('the header fields of the service', () => {
  it.each([
    [`/v1/client.api/list?${keys}`, 'Content-Type: text/xml; charset=utf-8'],
    [`/v1/client.api/get/none?${keys}`, 'Content-Type: text/xml; charset=utf-8'],
    ['/v1/client.api/list', 'Content-Type: text/xml; charset=utf-8'],
    ['/3.0/client.api/list', 'Content-Type: application/json; charset=utf-8'],
    ['/v2/clients', 'Content-Type: application/json; charset=utf-8'],
    ['/connections', 'Content-Type: application/json; charset=utf-8'],
    ['/nowhere', 'Content-Type: application/json; charset=utf-8'],
  ])('have the case that programs expect: %s', async (path, contentType) => {
    expect(await head(path)).toContain(contentType);
  });

  it('have it with a token as well', async () => {
    const { access } = await at.connect();
    const token = [`Authorization: Bearer ${access}`, `account-id: ${at.one.id}`];
    expect(await head('/3.0/client.api/list', token)).toContain('Content-Type: text/xml; charset=utf-8');
    expect(await head('/v2/clients', token)).toContain('Content-Type: application/json; charset=utf-8');
  });

  it('are all that a HEAD gets, on V1, V3 and V2', async () => {
    const { access } = await at.connect();
    const token = [`Authorization: Bearer ${access}`, `account-id: ${at.one.id}`];
    for (const [path, headers] of [
      [`/v1/client.api/list?${keys}`, []],
      ['/3.0/client.api/list', token],
      ['/v2/clients', token],
    ] as const) {
      const [start = '', body] = (
        await raw([`HEAD ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers])
      ).split('\r\n\r\n');
      expect(start).toMatch(/^HTTP\/1\.1 200 /);
      const length = /^Content-Length: (\d+)$/m.exec(start)?.[1];
      expect((await head(path, headers)).includes(`Content-Length: ${String(length)}`)).toBe(true);
      expect(body).toBe('');
    }
  });

  it('keep their spelling through a fault that cuts the answer', async () => {
    await at.control('faults', { on: { surface: 'v1' }, do: 'cut', times: 1 });
    expect(await head(`/v1/client.api/list?${keys}`)).toContain('Content-Type: text/xml; charset=utf-8');
  });

  it('allow a slash in a number, literal or encoded', async () => {
    for (const slash of ['/', '%2F'])
      expect(
        await raw([`GET /v1/quote.api/get/Q25008${slash}2?${keys} HTTP/1.1`, 'Host: x', 'Connection: close']),
      ).toContain('<ErrorDescription>Invalid quote identifier');
    const unknown = await raw([
      `GET /v1/client.api/get/7/2?${keys} HTTP/1.1`,
      'Host: x',
      'Connection: close',
    ]);
    expect(unknown).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('list the methods of a path for an unsupported one', async () => {
    const lines = await raw([`DELETE /v1/client.api/list?${keys} HTTP/1.1`, 'Host: x', 'Connection: close']);
    expect(lines).toContain('\r\nAllow: GET\r\n');
  });
});
