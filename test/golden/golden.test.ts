import { describe, expect, it } from '@jest/globals';
import { lossesOf } from '../../src/mapping/compile/loss.ts';
import type { Method } from '../../src/mapping/compile/model.ts';
import {
  goldenMethods,
  readGolden,
  requestLine,
  statusOf,
  type Exchange,
  type Message,
} from './exchange.ts';
import {
  ACCESS_TOKEN,
  ACCOUNT_KEY,
  API_KEY,
  exchangesOf,
  goldenMapping,
  perform,
  type Got,
  type Lane,
  type Received,
} from './stage.ts';

const methods = goldenMapping.methods.map(({ id }) => id);
const translated = goldenMapping.methods.flatMap(({ id, v2 }) => (v2?.way === 'steps' ? [id] : []));

function goldenMethod(id: string): Method {
  const found = goldenMapping.methods.find((method) => method.id === id);
  if (found === undefined) throw new Error(`${id} is not mapped`);
  return found;
}
/** Those the bridge answers itself after the move. */
const local = goldenMapping.local.map(({ id }) => id);

/** What frames a message; everything else has to be in the golden file, and nothing that is not. */
const framing = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

const told = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.has(name)));

const asText = (body: Buffer): string => body.toString('latin1');

/** The boundary of a form is another one each time; in the files it is `golden-boundary`. */
function withBoundary(received: Received): Received {
  const type = received.headers['content-type'] ?? '';
  const boundary = /^multipart\/form-data; boundary="([^"]+)"$/.exec(type)?.[1];
  if (boundary === undefined) return received;
  return {
    ...received,
    headers: { ...received.headers, 'content-type': type.replace(boundary, 'golden-boundary') },
    body: Buffer.from(received.body.toString('latin1').replaceAll(boundary, 'golden-boundary'), 'latin1'),
  };
}

function expectRequest(sent: Received | undefined, expected: Message): void {
  if (!sent) throw new Error(`no request, expected ${expected.start}`);
  const received = withBoundary(sent);
  const { verb, target } = requestLine(expected);
  expect({ verb: received.verb, target: received.target, headers: told(received.headers) }).toEqual({
    verb,
    target,
    headers: told(expected.headers),
  });
  expect(received.body.toString('utf8')).toBe(expected.body.toString('utf8'));
  expect(received.body.equals(expected.body)).toBe(true);
}

function expectReply(got: Got, reply: Message, source: string): void {
  expect(got.body.toString('utf8')).toBe(reply.body.toString('utf8'));
  expect(got.body.equals(reply.body)).toBe(true);
  expect(got.status).toBe(statusOf(reply));
  expect(got.headers).toMatchObject({ ...reply.headers, 'x-causeway-source': source });
}

/** Pages and look-ups go out side by side: what was received in the order of the golden files. */
function asExpected(received: readonly Received[], exchanges: readonly Exchange[]): readonly Received[] {
  const left = [...received];
  const matched = exchanges.flatMap(({ request }) => {
    const { verb, target } = requestLine(request);
    const at = left.findIndex((one) => one.verb === verb && one.target === target);
    return at < 0 ? [] : left.splice(at, 1);
  });
  return [...matched, ...left];
}

async function play(id: string, lane: Lane): Promise<readonly Received[]> {
  const golden = readGolden(id);
  const { got, received } = await perform(golden, lane);
  const exchanges = exchangesOf(golden, lane);
  expect(received.length).toBe(exchanges.length);
  const inOrder = lane === 'translate' ? asExpected(received, exchanges) : received;
  for (const [index, { request }] of exchanges.entries()) expectRequest(inOrder[index], request);
  const reply = lane === 'translate' ? (golden.lossyReply ?? golden.reply) : golden.reply;
  expectReply(got, reply, { 'pass-through': 'v1', forward: 'v3', translate: 'v2' }[lane]);
  return received;
}

const wholeOf = ({ verb, target, headers, body }: Received): string =>
  `${verb} ${target}\n${JSON.stringify(headers)}\n${asText(body)}`;

describe('golden files', () => {
  it('cover every method of the mapping, and no other', () => {
    expect([...goldenMethods()].sort()).toEqual([...methods, ...local].sort());
  });

  it('cover the 35 methods of the specification', () => {
    const printed = goldenMapping.methods.filter(({ source }) => source.startsWith('XML specification, '));
    expect(printed.length).toBe(35);
  });

  it.each([...methods, ...local])('pass for %s in pass-through: V1 gets the call unchanged, the caller its reply', async (id) => {
    const [received] = await play(id, 'pass-through');
    const { call } = readGolden(id);
    expect(received?.target).toBe(`/v1${requestLine(call).target}`);
    expect(received?.body.equals(call.body)).toBe(true);
  });

  it.each(methods)('pass for %s in forward: V3 gets its own form, the caller the legacy form', async (id) => {
    const received = await play(id, 'forward');
    for (const request of received) {
      const whole = wholeOf(request);
      expect(whole).toContain(ACCESS_TOKEN);
      expect(whole).not.toMatch(/api-?key|account-?key/i);
      expect(whole).not.toContain(API_KEY);
      expect(whole).not.toContain(ACCOUNT_KEY);
    }
  });

  it.each(translated)('pass for %s in translate: V2 gets JSON, the caller the legacy form', async (id) => {
    const received = await play(id, 'translate');
    expect(received.length).toBeGreaterThan(0);
    for (const request of received) {
      const whole = wholeOf(request);
      expect(request.target.startsWith('/v2/')).toBe(true);
      expect(whole).toContain(ACCESS_TOKEN);
      expect(whole).not.toMatch(/api-?key|account-?key/i);
      expect(whole).not.toContain(API_KEY);
      expect(whole).not.toContain(ACCOUNT_KEY);
    }
  });

  it('allow a reply from V2 to differ from the legacy one if the method has losses', () => {
    const lossy = translated.filter((id) => readGolden(id).lossyReply !== undefined);
    for (const id of lossy) expect([id, lossesOf(goldenMethod(id)).length]).not.toEqual([id, 0]);
  });

  it.each(local)('pass for %s after the move: the bridge answers without an upstream call', async (id) => {
    const golden = readGolden(id);
    const { got, received } = await perform(golden, 'forward');
    expect(received).toEqual([]);
    expectReply(got, golden.reply, 'bridge');
  });

  it.each([...methods, ...local])('show the reply of %s starting and ending as the legacy service wrote it', (id) => {
    const text = readGolden(id).reply.body.toString('utf8');
    expect(text).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\r\n<Response api-method="[A-Z][a-z]+"><Status>OK<\/Status>/,
    );
    expect(text.endsWith('</Response>')).toBe(true);
    expect(text.slice(text.indexOf('\n') + 1)).not.toMatch(/>\s+</);
  });
});
