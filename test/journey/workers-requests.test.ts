import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../support/clock.ts';
import { API_KEY } from '../support/legacy.ts';
import { Mortal, type Customer } from './killed.ts';

const studio: Customer = {
  name: 'Pair Studio',
  accountKey: 'E0000000000000000000000000000002',
  person: 'Ana Owner',
};
const seed = {
  ...{ name: studio.name, accountKey: studio.accountKey, apiKeys: [API_KEY] },
  users: [{ name: studio.person, email: 'ana@pair.example' }],
  clients: [{ number: 1_000_000, name: 'Seeded' }],
};
const KEYS = `apiKey=${API_KEY}&accountKey=${studio.accountKey}`;

/** Sends the bytes on a connection of its own and reads until the bridge ends it; `ends`: its own side ends at once. */
function sent(bridge: string, bytes: Buffer, ends: boolean): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(bridge);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('end', () => {
    socket.destroy();
    resolve(Buffer.concat(chunks).toString('utf8'));
  });
  socket.on('error', reject);
  if (ends) socket.end(bytes);
  else socket.write(bytes);
  return promise;
}

const line = (verb: string, target: string): Buffer =>
  Buffer.from(`${verb} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

function added(charset: string, name: Buffer): Buffer {
  const body = Buffer.concat([
    inCharset(charset, '<Client><Name>'),
    name,
    inCharset(charset, '</Name></Client>'),
  ]);
  const head = `POST /client.api/add?${KEYS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/xml; charset=${charset}\r\nContent-Length: ${String(body.length)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const inCharset = (charset: string, text: string): Buffer =>
  Buffer.from(text, charset === 'utf-16' ? 'utf16le' : 'latin1');

describe.each([
  ['v3', 'list'],
  ['v2', 'get/1000000'],
] as const)('a bridge with two workers, for an account that has moved to %s,', (route, reads) => {
  const target = `/client.api/${reads}?${KEYS}`;
  let mortal: Mortal;

  beforeAll(async () => {
    mortal = await Mortal.start([seed], undefined, {
      CAUSEWAY_WORKERS: '2',
      ...(route === 'v2' && { CAUSEWAY_ROUTES: 'client.get=v2,client.add=v2' }),
    });
    await mortal.rise();
    await mortal.add(studio);
    const link = await mortal.link(studio.name);
    await giveConsent({ link, person: studio.person, organisation: studio.name });
    await mortal.moved(studio.name);
  });
  afterAll(() => mortal.end());

  const servedBy = (): ReadonlySet<string | undefined> =>
    new Set(Array.from(mortal.output.matchAll(/"event":"call","worker":(\d)/g), ([, worker]) => worker));

  it.each([
    ['two slashes before the family', line('GET', `/${target}`), false],
    ['a whole address, as if to a proxy', line('GET', `http://legacy.example${target}`), false],
    ['a program that ends its side behind the request', line('GET', target), true],
  ])('treats %s as any other call, in either worker', async (_, bytes, ends) => {
    const answers: string[] = [];
    // Each on a connection of its own, which goes to the next worker.
    for (let n = 0; n < 4; n += 1) answers.push(await sent(mortal.bridge, bytes, ends));
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain('<ID>1000000</ID><Name>Seeded</Name>');
      expect(answer.toLowerCase()).toContain(`x-causeway-source: ${route}`);
    }
    await eventually('both have served', () => (servedBy().size === 2 ? true : undefined));
  });

  it('answers HEAD with the headers alone', async () => {
    for (let n = 0; n < 2; n += 1) {
      const answer = await sent(mortal.bridge, line('HEAD', target), false);
      expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n$/);
      expect(answer).toContain('text/xml; charset=utf-8');
    }
  });

  it.each([
    ['windows-1252', Buffer.from('W \x80 \xe9', 'latin1'), 'W € é'],
    ['iso-8859-1', Buffer.from('I \xe9', 'latin1'), 'I é'],
    ['utf-16', Buffer.from('U é 🍞', 'utf16le'), 'U é 🍞'],
  ])('reads a body in %s, named by its content type alone', async (charset, name, read) => {
    const answer = await sent(mortal.bridge, added(charset, name), false);
    expect(answer).toContain(`<Name>${read}</Name>`);
  });
});
