import { describe, expect, it } from '@jest/globals';
import {
  goldenFolders,
  readGolden,
  requestLine,
  statusOf,
  type GoldenMethod,
  type Message,
} from './exchange.ts';
import {
  ACCESS_TOKEN,
  ACCOUNT_KEY,
  API_KEY,
  goldenMapping,
  perform,
  type Got,
  type Lane,
  type Received,
} from './stage.ts';

const methods = goldenMapping.methods.map(({ id }) => id);
/** Those the bridge answers itself after the move. */
const local = goldenMapping.local.map(({ id }) => id);

/** What frames a message; everything else has to be in the golden file, and nothing that is not. */
const framing = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

const told = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.has(name)));

const asText = (body: Buffer): string => body.toString('latin1');

function expectRequest(received: Received | undefined, expected: Message): void {
  if (!received) throw new Error(`no request, expected ${expected.start}`);
  const { verb, target } = requestLine(expected);
  expect({ verb: received.verb, target: received.target, headers: told(received.headers) }).toEqual({
    verb,
    target,
    headers: told(expected.headers),
  });
  expect(received.body.toString('utf8')).toBe(expected.body.toString('utf8'));
  expect(received.body.equals(expected.body)).toBe(true);
}

function expectReply(got: Got, golden: GoldenMethod, source: string): void {
  expect(got.body.toString('utf8')).toBe(golden.reply.body.toString('utf8'));
  expect(got.body.equals(golden.reply.body)).toBe(true);
  expect(got.status).toBe(statusOf(golden.reply));
  expect(got.headers).toMatchObject({ ...golden.reply.headers, 'x-causeway-source': source });
}

async function play(id: string, lane: Lane): Promise<readonly Received[]> {
  const golden = readGolden(id);
  const { got, received } = await perform(golden, lane);
  const exchanges = lane === 'forward' ? golden.forward : golden.passThrough;
  expect(received.length).toBe(exchanges.length);
  for (const [index, { request }] of exchanges.entries()) expectRequest(received[index], request);
  expectReply(got, golden, lane === 'forward' ? 'v3' : 'v1');
  return received;
}

const wholeOf = ({ verb, target, headers, body }: Received): string =>
  `${verb} ${target}\n${JSON.stringify(headers)}\n${asText(body)}`;

describe('golden files', () => {
  it('cover every method of the mapping, and no other', () => {
    expect([...goldenFolders()].sort()).toEqual([...methods, ...local].sort());
  });

  it('cover the 35 methods of the specification', () => {
    const printed = goldenMapping.methods.filter(({ source }) => source.startsWith('001_'));
    expect(printed.length).toBe(35);
  });

  it.each([...methods, ...local])('%s in pass-through: V1 gets the call untouched, the caller its answer', async (id) => {
    const [received] = await play(id, 'pass-through');
    const { call } = readGolden(id);
    expect(received?.target).toBe(`/v1${requestLine(call).target}`);
    expect(received?.body.equals(call.body)).toBe(true);
  });

  it.each([...methods, ...local])('%s in pass-through: the answer is the reply, byte for byte', (id) => {
    const { passThrough, reply } = readGolden(id);
    expect(passThrough.map(({ answer }) => asText(answer.body))).toEqual([asText(reply.body)]);
  });

  it.each(methods)('%s in forward: V3 gets its own form, the caller the legacy form', async (id) => {
    const received = await play(id, 'forward');
    for (const request of received) {
      const whole = wholeOf(request);
      expect(whole).toContain(ACCESS_TOKEN);
      expect(whole).not.toMatch(/api-?key|account-?key/i);
      expect(whole).not.toContain(API_KEY);
      expect(whole).not.toContain(ACCOUNT_KEY);
    }
  });

  it.each(local)('%s after the move: the bridge answers, and nobody else is asked', async (id) => {
    const golden = readGolden(id);
    const { got, received } = await perform(golden, 'forward');
    expect(received).toEqual([]);
    expectReply(got, golden, 'bridge');
  });

  it.each([...methods, ...local])('%s: the reply begins and ends as the legacy service wrote it', (id) => {
    const text = readGolden(id).reply.body.toString('utf8');
    expect(text).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\r\n<Response api-method="[A-Z][a-z]+"><Status>OK<\/Status>/,
    );
    expect(text.endsWith('</Response>')).toBe(true);
    expect(text.slice(text.indexOf('\n') + 1)).not.toMatch(/>\s+</);
  });
});
