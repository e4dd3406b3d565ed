/** A played call as a golden file, and a golden file as a call to be played. */
import type { XmlElement } from '../lib/xml/element.ts';
import { listLimits } from '../lib/xml/limits.ts';
import { readDocumentInSteps } from '../lib/xml/read.ts';
import { writeElement } from '../lib/xml/document.ts';
import { legacyTarget } from '../mapping/dialect.ts';
import type { CapturedExchange } from './capture.ts';
import {
  methodOfFile,
  pairsIn,
  parseMessage,
  sectionsIn,
  writeMessage,
  writeSections,
  type WrittenMessage,
} from '../proof/rehearsal/golden-format.ts';
import type { GoldenFile, ReplayCall } from '../proof/rehearsal/order.ts';
import type { PlayedCalls, PlayedReply } from './play.ts';
import { KEYS, ORGANISATION } from './replay-bridge.ts';

/** A request to the service, in which everything that differs from run to run is fixed. */
export interface GoldenRequest {
  readonly start: string;
  readonly body: string;
}

/** What a golden file says. */
export interface GoldenCall {
  readonly path: string;
  readonly call: ReplayCall;
  readonly pairs: Pairs;
  readonly requests: Readonly<Record<'v3' | 'v2', readonly GoldenRequest[]>>;
  readonly replies: Readonly<Record<'v3' | 'v2', XmlElement | undefined>>;
}

/** Headers that frame a message, or that Node and the transport add. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive'],
  'user-agent',
]);

/** The sections of a file are named after them. */
const ways = [
  ['v3', 'V3'],
  ['v2', 'V2'],
] as const;

/** Numbers with their UUIDs. */
export type Pairs = PlayedCalls['pairs'];

/** What turns the UUIDs of some pairs, in any text, into those that others have for the same numbers. */
export function sameUuids(from: Pairs, to: Pairs): (text: string) => string {
  const wanted = new Map(to.map(({ kind, number, uuid }) => [`${kind} ${number}`, uuid]));
  const changes = new Map<string, string>();
  for (const { kind, number, uuid } of from) {
    const other = wanted.get(`${kind} ${number}`);
    if (other !== undefined && other !== uuid) changes.set(uuid, other);
  }
  if (changes.size === 0) return (text) => text;
  return (text) => text.replaceAll(UUID, (uuid) => changes.get(uuid) ?? uuid);
}

/** As the sandbox writes them. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The file of one call. `pairs`: those of V3; `asOnV3` turns UUIDs that the sandbox made on V2 into those. */
export function goldenFile(
  place: number,
  after: { readonly v3: PlayedReply; readonly v2: PlayedReply | undefined },
  pairs: Pairs,
  asOnV3: (text: string) => string,
): GoldenFile {
  const { v3, v2 } = after;
  const call = writeMessage(callMessage(v3.sent));
  const served = { v3: exchangesOf(v3, '/3.0/'), v2: v2 === undefined ? [] : exchangesOf(v2, '/v2/') };
  const sections: (readonly [string, string])[] = [];
  for (const [way, name] of ways)
    for (const [at, exchange] of served[way].entries()) {
      const number = served[way].length > 1 ? ` ${at + 1}` : '';
      const same = way === 'v3' ? (text: string): string => text : asOnV3;
      sections.push([`${name} request${number}`, same(writeMessage(requestMessage(exchange)))]);
      sections.push([`${name} answer${number}`, same(writeMessage(answerMessage(exchange)))]);
    }
  const texts = sections.map(([, text]) => text).join('\n');
  const known = pairs.filter(({ uuid }) => texts.includes(uuid));
  const rows = known.map(({ kind, number, uuid }) => `${kind},${number},${uuid}`);
  const reply = writeMessage(replyMessage(v3));
  const ofV2 = v2 === undefined || served.v2.length === 0 ? reply : writeMessage(replyMessage(v2));
  const { method } = v3.sent;
  const family = method.slice(0, method.indexOf('.'));
  return {
    path: `${family}/${method.slice(family.length + 1)}-${String(place).padStart(4, '0')}.http`,
    content: writeSections([
      ['call', call],
      ['identifiers', ['kind,number,uuid', ...rows].join('\n')],
      ...sections,
      ['reply', reply],
      ...(ofV2 === reply ? [] : [['reply from V2', ofV2] as const]),
    ]),
  };
}

/** Throws for a file that is none. */
export async function readGoldenCall({ path, content }: GoldenFile): Promise<GoldenCall> {
  const sections = sectionsIn(content);
  const part = (name: string): string => {
    const text = sections.get(name);
    if (text === undefined) throw new Error(`${path}: the section "${name}" is missing`);
    return text;
  };
  const { start, body } = parseMessage(part('call'));
  const [verb = '', target = ''] = start.split(' ');
  const { pathname, searchParams } = new URL(target, 'http://causeway.invalid');
  const reply = await rootOf(parseMessage(part('reply')).body.toString('utf8'));
  const lossy = sections.get('reply from V2');
  const requestsTo = (name: string): readonly GoldenRequest[] =>
    Array.from(sections)
      .filter(([section]) => section.startsWith(`${name} request`))
      .map(([, text]) => parseMessage(text))
      .map((message) => ({ start: message.start, body: message.body.toString('utf8') }));
  return {
    path,
    call: {
      method: methodOfFile(path),
      verb,
      segments: pathname.split('/').filter(Boolean).map(decodeURIComponent),
      query: [...searchParams].filter(([name]) => !['apikey', 'accountkey'].includes(name.toLowerCase())),
      body: body.length === 0 ? undefined : await rootOf(body.toString('utf8')),
      expected: reply,
    },
    pairs: pairsIn(part('identifiers')),
    requests: { v3: requestsTo('V3'), v2: requestsTo('V2') },
    replies: {
      v3: reply,
      v2: lossy === undefined ? reply : await rootOf(parseMessage(lossy).body.toString('utf8')),
    },
  };
}

const rootOf = (text: string): Promise<XmlElement | undefined> => readDocumentInSteps([text], listLimits);

/** Requests that a reply took on one API, as a golden file has them. */
export const requestsOf = (
  reply: PlayedReply,
  way: 'v3' | 'v2',
  same: (text: string) => string,
): readonly GoldenRequest[] =>
  exchangesOf(reply, way === 'v3' ? '/3.0/' : '/v2/').map((exchange) => {
    const { start, body } = requestMessage(exchange);
    return { start: same(start), body: same(body) };
  });

/** Of one API: `/3.0/`, `/v2/`. */
const exchangesOf = ({ exchanges }: PlayedReply, root: string): readonly CapturedExchange[] =>
  exchanges.filter(({ target }) => target.startsWith(root));

/** The call as a legacy program sends it. */
function callMessage({ verb, segments, query, body }: ReplayCall): WrittenMessage {
  return {
    start: `${verb} ${legacyTarget(segments, query, KEYS)} HTTP/1.1`,
    headers: body === undefined ? [] : [['Content-Type', 'text/xml']],
    body: body === undefined ? '' : writeElement(body),
  };
}

/** Tokens, organisations and boundaries are others every time. */
const fixed = (text: string): string =>
  text
    .replace(/^Bearer .+$/, 'Bearer golden-access-token')
    .replaceAll(ORGANISATION, 'golden-organisation')
    .replace(/boundary=\S+/, 'boundary=golden-boundary');

/** Everything the service receives, without what differs from run to run. */
function requestMessage({ verb, target, headers, body }: CapturedExchange): WrittenMessage {
  const boundary = /boundary="?([^";]+)/.exec(
    headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '',
  );
  const text = body.toString('utf8');
  return {
    start: `${verb} ${target} HTTP/1.1`,
    headers: headers
      .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()))
      .map(([name, value]) => [name, fixed(value)] as const),
    body: boundary?.[1] === undefined ? text : text.replaceAll(boundary[1], 'golden-boundary'),
  };
}

/** Of an answer the golden files hold what the bridge reads: status, type and body. */
const answerMessage = ({ status, reason, contentType, answer }: CapturedExchange): WrittenMessage => ({
  start: `HTTP/1.1 ${status} ${reason}`,
  headers: contentType === undefined ? [] : [['Content-Type', contentType]],
  body: answer.toString('utf8'),
});

/** What the program gets, byte for byte. */
const replyMessage = ({ status, contentType, text }: PlayedReply): WrittenMessage => ({
  start: `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Error'}`,
  headers: [['Content-Type', contentType]],
  body: text,
});
