/** Writes a played call to a golden file, and reads a golden file as a call to play. */
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

/** A request to the service, with fixed values for everything that differs from run to run. */
export interface GoldenRequest {
  readonly start: string;
  readonly body: string;
}

/** The content of a golden file. */
export interface GoldenCall {
  readonly path: string;
  readonly call: ReplayCall;
  readonly pairs: Pairs;
  readonly requests: Readonly<Record<'v3' | 'v2', readonly GoldenRequest[]>>;
  readonly replies: Readonly<Record<'v3' | 'v2', GoldenReply>>;
}

/** The reply to the program in a golden file. */
export type GoldenReply = Pick<PlayedReply, 'status' | 'contentType' | 'text' | 'root'>;

/** Headers that frame a message, or that Node or the transport adds. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive'],
  'user-agent',
]);

/** The names of the ways in the headings of a file's sections. */
const ways = [
  ['v3', 'V3'],
  ['v2', 'V2'],
] as const;

/** Numbers with their UUIDs. */
export type Pairs = PlayedCalls['pairs'];

/**
 * Returns a function that replaces the UUIDs of `from`, in any text, by those of `to` for the same numbers.
 */
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

/** UUIDs in the sandbox's spelling. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Creates the file of one call. `pairs`: those of V3; `asOnV3` replaces UUIDs that the sandbox created on V2
 * by V3's.
 */
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

/** Throws for an invalid file. */
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
  const reply = await replyIn(part('reply'));
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
      expected: reply.root,
    },
    pairs: pairsIn(part('identifiers')),
    requests: { v3: requestsTo('V3'), v2: requestsTo('V2') },
    replies: { v3: reply, v2: lossy === undefined ? reply : await replyIn(lossy) },
  };
}

async function replyIn(section: string): Promise<GoldenReply> {
  const { start, headers, body } = parseMessage(section);
  const text = body.toString('utf8');
  return {
    status: Number(start.split(' ')[1]),
    contentType: headers['content-type'] ?? '',
    text,
    root: await rootOf(text),
  };
}

const rootOf = (text: string): Promise<XmlElement | undefined> => readDocumentInSteps([text], listLimits);

/** The requests to one API behind a reply, in the form of a golden file. */
export const requestsOf = (
  reply: PlayedReply,
  way: 'v3' | 'v2',
  same: (text: string) => string,
): readonly GoldenRequest[] =>
  exchangesOf(reply, way === 'v3' ? '/3.0/' : '/v2/').map((exchange) => {
    const { start, body } = requestMessage(exchange);
    return { start: same(start), body: same(body) };
  });

/** Exchanges of one API: `/3.0/`, `/v2/`. */
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

/** Fixes tokens, organisations and boundaries, which differ every time. */
const fixed = (text: string): string =>
  text
    .replace(/^Bearer .+$/, 'Bearer golden-access-token')
    .replaceAll(ORGANISATION, 'golden-organisation')
    .replace(/boundary=\S+/, 'boundary=golden-boundary');

/** Everything that the service receives, except what differs from run to run. */
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

/** Golden files keep only the parts of an answer that the bridge reads: status, type and body. */
const answerMessage = ({ status, reason, contentType, answer }: CapturedExchange): WrittenMessage => ({
  start: `HTTP/1.1 ${status} ${reason}`,
  headers: contentType === undefined ? [] : [['Content-Type', contentType]],
  body: answer.toString('utf8'),
});

/** The reply to the program, byte for byte. */
const replyMessage = ({ status, contentType, text }: PlayedReply): WrittenMessage => ({
  start: `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Error'}`,
  headers: [['Content-Type', contentType]],
  body: text,
});
