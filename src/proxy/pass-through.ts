/**
 * Pass-through: V1 with the caller's own keys, bytes unchanged in both directions. Only three things are checked:
 * whether V1 accepted the keys, whether it answered in XML (a gateway in front of it answers in HTML or JSON) and, for
 * an account that has not been recorded yet, whether the call succeeded.
 *
 * A body that came in one piece is sent as one; any other is passed on piece by piece. `receivedBody` also serves
 * forward, if a reply of V3 is passed on unchanged.
 */
import { Failure } from '../lib/failure.ts';
import { LEGACY_CONTENT_TYPE } from '../mapping/dialect.ts';
import type { UpstreamAnswer, V1Endpoint } from '../upstream/model.ts';
import type { ReadyRead, ReadyV1 } from '../upstream/ready-read.ts';
import { discard, retryAfter } from '../upstream/transport/outcome.ts';
import type { LegacyCall, MakeReply, PlainRequest, Reply } from './call/call.ts';
import { isUpload } from './forward/generic.ts';
import type { BodyReader } from './call/body-reader.ts';
import { readingFailed, unusable } from './call/status.ts';

/** What happens around a call that V1 serves with the caller's own keys. */
export interface PassThroughEvents {
  /** Called when V1 has served a call with this key pair. Undefined: this is already recorded. */
  readonly accepted: (() => void) | undefined;
  /** Called when V1 does not (or no longer) accept the key pair; returns the reply to the caller. */
  readonly refused: () => Promise<Reply>;
}

const EMPTY = Buffer.alloc(0);

/**
 * V1 with the caller's own keys, bytes unchanged in both directions. Nothing is interpreted except whether V1 accepted
 * the keys.
 */
export class PassThrough {
  readonly #endpoint: V1Endpoint & Partial<ReadyV1>;
  readonly #body: BodyReader;

  constructor(endpoint: V1Endpoint & Partial<ReadyV1>, body: BodyReader) {
    this.#endpoint = endpoint;
    this.#body = body;
  }

  /** A GET that may leave at once; undefined: it has to wait. */
  ready(account: string, request: PlainRequest): ReadyRead | undefined {
    return this.#endpoint.ready?.(account, request);
  }

  async serve(call: LegacyCall, { accepted, refused }: PassThroughEvents): Promise<Reply> {
    const { verb, target, contentType, accept, signal, leaves, sent, trace } = call;
    const body = call.document ?? (call.body.length === 0 ? EMPTY : await this.#held(call));
    const answer = await this.#endpoint.pass({
      account: trace.accountId,
      verb,
      target,
      contentType,
      accept,
      body,
      signal,
      leaves,
      sent,
      times: trace,
    });
    if (answer.status === 401 || answer.status === 403) {
      discard(answer);
      return refused();
    }
    const received = await receivedBody(answer, verb !== 'GET');
    // V1 answers invalid keys with a status other than 200. An error, or an answer of a failing V1 or its gateway,
    // proves nothing.
    const isNew = answer.status === 200 && accepted !== undefined;
    const { 'retry-after': wait, allow } = answer.headers;
    return {
      status: answer.status,
      source: 'v1',
      contentType: answer.contentType || LEGACY_CONTENT_TYPE,
      headers: {
        ...(wait !== undefined && { 'Retry-After': wait }),
        ...(allow !== undefined && { Allow: allow }),
      },
      body: isNew ? successfulBody(received, accepted) : received,
      length: answer.whole === undefined ? announcedLength(answer) : undefined,
    };
  }

  /** Returns undefined if the call has no body. */
  async #held(call: LegacyCall): Promise<Buffer | undefined> {
    const body = await this.#body.bytes(call, isUpload(call.segments));
    return body.length > 0 || call.body.length !== undefined ? body : undefined;
  }
}

/**
 * The body of an answer that is passed to the caller unchanged. Throws `Failure` before its first chunk unless it is
 * XML: a gateway in front of the service answers in HTML or JSON, and a legacy program gets XML or nothing.
 */
export function receivedBody(
  answer: UpstreamAnswer,
  write: boolean,
): Buffer | Promise<AsyncIterable<Buffer>> {
  if (answer.whole === undefined) return streamedBody(answer, write);
  if (!looksLikeXml(answer.whole, true)) throw notXml(answer, write);
  return answer.whole;
}

async function streamedBody(answer: UpstreamAnswer, write: boolean): Promise<AsyncIterable<Buffer>> {
  const chunks = answer.body[Symbol.asyncIterator]();
  let head: Buffer = EMPTY;
  let judged: boolean | undefined;
  try {
    while (judged === undefined) {
      const next = await chunks.next();
      if (next.done) judged = looksLikeXml(head, true);
      else {
        head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
        judged = looksLikeXml(head, false);
      }
    }
  } catch (error) {
    throw readingFailed(error, write);
  }
  if (judged) return resumed(head, chunks);
  await chunks.return?.();
  throw notXml(answer, write);
}

async function* resumed(head: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

function notXml(answer: UpstreamAnswer, write: boolean): Failure {
  if (answer.status === 429) return new Failure('budgetExhausted', retryAfter(answer));
  // Only a plain refusal proves that a write was not carried out.
  return unusable(write && (answer.status < 400 || answer.status >= 500), 'upstreamAnswer');
}

const LESS_THAN = 0x3c;
const CAPITAL_R = 0x52;
/** How nearly every answer begins. */
const USUAL = /^<\?xml [^<>]{1,100}\?>\s*<Response\b/;

/** The same bytes if they are XML. */
export const unchanged: MakeReply = (answer) => {
  const isUsual =
    (answer[0] === LESS_THAN && answer[1] === CAPITAL_R) || USUAL.test(answer.toString('latin1', 0, 150));
  return isUsual || looksLikeXml(answer, true) ? answer : undefined;
};

/** Bytes of the body, if the service announced them. */
export function announcedLength(answer: UpstreamAnswer): number | undefined {
  const length = answer.headers['content-length'] ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** In bytes: how far the first element is searched for. */
const BEGINNING = 4 * 1_024;
/** A byte order mark, the XML declaration and comments, which XHTML pages have too. */
const BEFORE_FIRST = /^(?:\u00ef\u00bb\u00bf)?\s*(?:<\?[^]*?\?>\s*|<!--[^]*?-->\s*)*/;
const UNFINISHED = /^<(?:\?|!--)/;
/** In characters: the longest that `HTML` needs. */
const NEEDED = 16;
const HTML = /^<(?:!doctype\s+html|html|head|body|h1)\b/i;

/** Whether an answer is XML and not HTML. Undefined: what has arrived does not show it yet. */
function looksLikeXml(arrived: Buffer, isWhole: boolean): boolean | undefined {
  const text = arrived.toString('latin1', 0, BEGINNING).replace(BEFORE_FIRST, '');
  const isUnfinished = UNFINISHED.test(text);
  if ((isUnfinished || text.length < NEEDED) && !isWhole && arrived.length < BEGINNING) return undefined;
  return text.startsWith('<') && !isUnfinished && !HTML.test(text);
}

/**
 * V1 reports a failed request in its first element, `<Status>ERROR</Status>`; files and foreign answers have
 * none.
 */
const STATUS = /<Status>\s*(\w+)\s*</;

/** The same bytes; `succeeded` is called once their beginning shows that the call succeeded on V1. */
export function successfulBody(
  body: Buffer | AsyncIterable<Buffer>,
  succeeded: () => void,
): Buffer | AsyncIterable<Buffer> {
  if (!Buffer.isBuffer(body)) return watched(body, succeeded);
  if (STATUS.exec(body.toString('latin1', 0, BEGINNING))?.[1] !== 'ERROR') succeeded();
  return body;
}

async function* watched(body: AsyncIterable<Buffer>, succeeded: () => void): AsyncGenerator<Buffer> {
  let beginning: string | undefined = '';
  for await (const chunk of body) {
    if (beginning !== undefined) {
      beginning += chunk.toString('latin1', 0, BEGINNING);
      const status = STATUS.exec(beginning)?.[1];
      if (status !== undefined || beginning.length >= BEGINNING) {
        beginning = undefined;
        if (status !== 'ERROR') succeeded();
      }
    }
    yield chunk;
  }
  if (beginning !== undefined) succeeded();
}
