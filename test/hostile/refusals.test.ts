import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Sender, type Answered } from '../support/http.ts';
import { API_KEY } from '../support/legacy.ts';
import { expectDialect } from './dialect.ts';
import { accounts, openEndpoint, type OpenEndpoint } from './endpoint.ts';

let endpoint: OpenEndpoint;
let sender: Sender;

beforeAll(async () => {
  endpoint = await openEndpoint();
  sender = new Sender(endpoint.bridge.url);
});

afterAll(async () => {
  sender.close();
  await endpoint.close();
});

const WRONG = 'D'.repeat(32);

/** All of an answer that a caller could tell apart, without what is different every time. */
function told({ status, headers, text }: Answered): unknown {
  const others = Object.entries(headers).filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, headers: others, text };
}

describe('wrong key pairs', () => {
  const pairs = [
    ['a wrong API key of a migrated account', WRONG, accounts.migrated],
    ['a wrong API key of a legacy account', WRONG, accounts.legacy],
    ['a closed account', API_KEY, accounts.closed],
    ['a wrong API key of a closed account', WRONG, accounts.closed],
    ['an account nobody knows', API_KEY, 'E'.repeat(32)],
    ['the same once more', API_KEY, 'E'.repeat(32)],
    ['two wrong keys', WRONG, 'F'.repeat(32)],
    ['an account key in the wrong case', API_KEY, accounts.migrated.toLowerCase()],
    ['keys swapped', accounts.migrated, API_KEY],
  ] as const;

  it.each([
    ['GET', '/client.api/list', undefined],
    ['POST', '/client.api/add', '<Client><Name>x</Name></Client>'],
  ])('get the same reply, except for the request id: %s %s', async (verb, path, body) => {
    const answers = [];
    for (const [, apiKey, accountKey] of pairs)
      answers.push(
        await sender.send({ verb, target: `${path}?apiKey=${apiKey}&accountKey=${accountKey}`, body }),
      );
    const [first] = answers;
    expect(first?.status).toBe(401);
    expectDialect(401, first?.text ?? '');
    for (const answer of answers) expect(told(answer)).toEqual(first && told(first));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(pairs.length);
  });

  it('do not appear in the log', () => {
    const lines = endpoint.bridge.lines.join('\n');
    expect(lines).toContain('keysRefused');
    for (const [, apiKey, accountKey] of pairs)
      for (const key of [apiKey, accountKey]) expect(lines).not.toContain(key);
  });
});

describe.each(['migrated', 'legacy'] as const)('a request of a %s account', (account) => {
  const keys = `apiKey=${API_KEY}&accountKey=${accounts[account]}`;
  const add = `/client.api/add?${keys}`;
  const message = '<Client><Name>Never made</Name></Client>';

  async function refused(status: number, sent: Parameters<Sender['send']>[0]): Promise<void> {
    const before = endpoint.recorder.arrived.length;
    const answer = await sender.send(sent);
    expect(answer.status).toBe(status);
    expectDialect(status, answer.text);
    expect(endpoint.recorder.arrived).toHaveLength(before);
  }

  it.each(['gzip', 'deflate', 'br', 'zstd', 'GZIP', 'identity, gzip', 'x-gzip'])(
    'that is compressed by %s is refused',
    async (coding) => {
      await refused(415, {
        verb: 'POST',
        target: add,
        headers: { 'Content-Encoding': coding },
        body: gzipSync(message),
      });
    },
  );

  it('with an announced length that is too large is refused', async () => {
    await refused(413, { verb: 'POST', target: add, body: Buffer.alloc(1_048_577, 0x20) });
  });

  it('that is too large, in chunks, is refused', async () => {
    const headers = { 'Transfer-Encoding': 'chunked' };
    await refused(413, { verb: 'POST', target: add, headers, body: Buffer.alloc(2_000_000, 0x20) });
  });

  it('with a document of an announced length that is too large is refused', async () => {
    const target = `/client.api/document?${keys}`;
    // V1 gets it while it is read; for V3 it is held.
    const mebibytes = account === 'legacy' ? 257 : 33;
    const headers = { 'Content-Length': String(mebibytes * 1_048_576) };
    await refused(413, { verb: 'POST', target, headers, body: Buffer.alloc(mebibytes * 1_048_576, 0x41) });
  });

  it('with a query of three thousand characters, or of a thousand parameters, is refused', async () => {
    await refused(400, { verb: 'GET', target: `/client.api/list?${keys}&query=${'x'.repeat(3_000)}` });
    await refused(400, { verb: 'GET', target: `/client.api/list?${keys}${'&a=1'.repeat(1_000)}` });
  });

  it('with a repeated key is refused', async () => {
    await refused(400, { verb: 'GET', target: `/client.api/list?${keys}&ACCOUNTKEY=${accounts.migrated}` });
  });

  it('with a thousand headers is refused', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`X-Filler-${String(index)}`, 'x'.repeat(20)]),
    );
    await refused(431, { verb: 'GET', target: `/client.api/list?${keys}`, headers });
  });
});
