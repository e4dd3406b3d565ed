/**
 * A legacy call as it arrived: reads address, keys and body, so that no later part interprets them again.
 *
 * HEAD is a GET of which only the head is sent. The path is decoded once and refused if it could be read in two ways
 * (control characters, broken escapes, dot segments). The keys are removed from the query and wrapped, so that no later
 * part can log them. The query has a length limit that includes the keys. The body is read on demand, at the pace of
 * `body.ts`. `trace` collects the facts that the log and the metrics report in the end.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Keys } from '../../features/accounts/keys.ts';
import { Failure } from '../../lib/failure.ts';
import type { Enrolled } from '../../lib/register.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { CallSpans } from '../../lib/tracing/call-spans.ts';
import type { SentRequest } from '../../upstream/model.ts';
import { decoded, withOneSlash } from '../../lib/text/address-text.ts';
import { isSlashedNumber } from '../../lib/text/slashed-number.ts';
import { CHARSET } from '../../lib/xml/bytes/decode.ts';
import type { KnownRead } from '../../proxy/fast-path.ts';
import { readQuery, unreadable } from '../../proxy/call/read-call.ts';
import { Trace, type Body, type LegacyCall } from '../../proxy/call/call.ts';
import { RequestBody, type Pace } from '../server/body/body.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import { endWith, isPlainlyFramed } from '../server/connection/framing.ts';
import { networkOf } from '../server/throttle.ts';

const controls = /[\u0000-\u001f\u007f]/;
/** An empty segment, and one that could lead upwards or be read as two. */
const ambiguous = /^\.{0,2}$|[\\/]/;
const verbs: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE']);
const familyForm = /^[a-z]+\.api$/;

const firstEight = /^.{8}/;
const UNREADABLE = 'The address could not be read';

const NO_KEY = new Secret('');
const NO_BODY: Body = { length: 0, read: async () => Buffer.alloc(0) };

interface Begun {
  readonly requestId: string;
  /** When the call began, by `performance.now`. */
  readonly begun: number;
}

/**
 * One legacy call, from its request to its log line: the request's content once `read` has checked it, and in `trace`
 * the facts found out on the way.
 */
export class ReceivedCall implements LegacyCall, Enrolled {
  place = -1;
  readonly requestId: string;
  readonly begun: number;
  readonly trace = new Trace();
  readonly gone = new AbortController();
  readonly signal = this.gone.signal;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly verb: string;
  /** Path and query. */
  readonly address: string;
  readonly target: Secret;
  readonly contentType: string | undefined;
  readonly charset: string | undefined;
  readonly accept: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: Body;
  readonly from: (() => string) | undefined;
  segments: readonly string[] = [];
  query: LegacyCall['query'] = [];
  keys: Keys = { apiKey: NO_KEY, accountKey: NO_KEY };
  sent: SentRequest | undefined;
  /** Set if the call is traced. */
  spans: CallSpans | undefined;

  /** `callers`: finds the caller's address, also behind proxies. `begun`: set if the call began on the fast path. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { pace, callers }: { readonly pace?: Pace | undefined; readonly callers?: CallerAddresses | undefined },
    // A UUID that begins with the time (RFC 9562, version 7). Writes are stored by it, in several orders: new ones are
    // then adjacent, and a commit has half as many pages to write.
    { requestId, begun }: Begun = {
      requestId: `${Date.now().toString(16).padStart(12, '0').replace(firstEight, '$&-')}-7${randomUUID().slice(15)}`,
      begun: performance.now(),
    },
  ) {
    this.requestId = requestId;
    this.begun = begun;
    const { method = '', url = '', headers } = request;
    this.request = request;
    this.response = response;
    this.verb = method === 'HEAD' ? 'GET' : method;
    this.address = url.startsWith('//') ? withOneSlash(url) : url; // its program's base URL ends with a slash
    this.target = new Secret(this.address);
    this.contentType = headers['content-type'];
    this.charset = CHARSET.exec(this.contentType ?? '')?.[1];
    this.accept = headers.accept;
    const { 'idempotency-key': key } = headers;
    this.idempotencyKey = typeof key === 'string' && key !== '' ? key : undefined;
    const invite = (): void => {
      if (headers.expect !== undefined) response.writeContinue();
    };
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    this.body = hasBody ? new RequestBody(request, invite, pace, this.signal) : NO_BODY;
    this.from = callers && (() => networkOf(callers.of(request)));
    const closed = (): void => {
      if (!response.writableFinished) this.gone.abort();
    };
    if (response.destroyed) closed();
    else response.once('close', closed);
  }

  /** Replaces `read` if the fast path has read the call. */
  take({ segments, query, apiKey, accountKey }: KnownRead): void {
    this.segments = segments;
    this.query = query;
    this.keys = { apiKey: new Secret(apiKey), accountKey: new Secret(accountKey) };
  }

  /** Throws `Failure` if the request is not a legacy call. */
  read(): void {
    const { address, request, verb } = this;
    checkFraming(request, this.response);
    if (!address.startsWith('/') || address.includes('#')) throw unreadable(UNREADABLE);
    const mark = `${address}?`.indexOf('?');
    this.segments = readPath(address.slice(0, mark));
    const { query, apiKeys, accountKeys } = readQuery(address.slice(mark + 1));
    const [family = '', method] = this.segments;
    if (!verbs.has(verb)) throw new Failure('wrongVerb');
    if (!familyForm.test(family) || method === undefined) throw new Failure('unknownMethod');
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (coding !== '' && coding !== 'identity') throw new Failure('compressedBody');
    this.query = query;
    this.keys = keysOf(apiKeys, accountKeys);
  }
}

/**
 * Exactly one of each key, whatever its case; the service could choose differently between two. A call without an API
 * key is refused as well, but only once its account is known (`AccountDirectory`).
 */
function keysOf(apiKeys: readonly string[], accountKeys: readonly string[]): Keys {
  if (apiKeys.length > 1 || accountKeys.length > 1) throw unreadable('A key was given more than once');
  const [apiKey = ''] = apiKeys;
  const [accountKey = ''] = accountKeys;
  if (accountKey === '') throw new Failure('keysRefused');
  return { apiKey: new Secret(apiKey), accountKey: new Secret(accountKey) };
}

/**
 * Checks that Host occurs exactly once, as HTTP/1.1 requires (the parsed headers keep only one), and that there is no
 * transfer coding unknown to Node, with which the end of the message would be a guess. Nothing more is read from a
 * connection that fails this.
 */
function checkFraming(request: IncomingMessage, response: ServerResponse): void {
  const { rawHeaders, headers, httpVersion } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  const sound =
    (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) &&
    (headers['transfer-encoding'] === undefined || isPlainlyFramed(request, response)) &&
    (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue');
  if (sound) return;
  endWith(response);
  throw new Failure('badRequest');
}

/**
 * Decodes each segment exactly once. One trailing slash is dropped, because some programs send it. A path that could
 * leave the root or be read in two ways is refused. The path is ASCII: Node refuses raw bytes in an address.
 */
function readPath(path: string): readonly string[] {
  const segments = path.slice(1).split('/');
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  if (segments.length === 1 && segments[0] === '') return [];
  for (const [index, raw] of segments.entries()) segments[index] = readSegment(raw, index);
  return segments;
}

/** After family and method, a number may contain slashes, and spaces around it do not count, as in a body. */
function readSegment(raw: string, index: number): string {
  const given = raw.includes('%') ? decoded(raw) : raw;
  if (given === undefined || controls.test(given)) throw unreadable(UNREADABLE);
  const trimmed = index > 1 ? given.trim() : given;
  const text = trimmed === '' ? given : trimmed;
  if (ambiguous.test(text) && !(index > 1 && isSlashedNumber(text))) throw unreadable(UNREADABLE);
  return index === 0 ? text.toLowerCase() : text;
}
