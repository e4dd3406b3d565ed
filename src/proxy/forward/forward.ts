/**
 * Serves one method of the mapping from V3: the legacy XML call under OAuth, numbers of V1 rewritten to UUIDs on the
 * way out and back on the way in.
 *
 * In order: read and check the call; translate path and body; send (rate limit, token and judgement of the status are
 * the upstream client's); translate the reply. A list goes out as it arrives, in pages that are walked until the list
 * is whole; everything else is one piece. The reply to a write is held until it is whole, so that a write is never
 * reported with half a reply.
 *
 * Two forms of V3 differ in some paths and root elements (`elsewhere`, `otherRoot`): where the first answer means that,
 * and only then, the other form is tried once. Where V3 has the service's own numbers and nothing else differs, the
 * reply goes out untouched. Whatever an exception says of V3 is put in the terms of V1 at the end.
 */
import type { LegacyCall, MovedCall, Reply, Service } from '../call.ts';
import { Failure } from '../../lib/failure.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { UpstreamRequest, Upstream } from '../../upstream/model.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import type { ReplyPart, XmlElement } from '../../lib/xml/element.ts';
import { escapeText } from '../../lib/xml/text.ts';
import { openAnswer, smallAnswer, type Asked } from './answer.ts';
import { bodyOf } from './body.ts';
import { LEGACY_CONTENT_TYPE } from '../../mapping/dialect.ts';
import { TEXT_NUMBER, type Method, type Segment } from '../../mapping/compile/model.ts';
import { started, whole, written, type Send } from '../delivery.ts';
import { wholeList } from './pages.ts';
import type { ToV3 } from '../identifiers.ts';
import { announcedLength, receivedBody } from '../pass-through.ts';
import { holdsLinks, RecordWriter } from './reply.ts';
import { ReplyScanner } from './scanner.ts';
import { knownQuery, readCall } from '../read-call.ts';
import { toV3Element, type BodyReader } from '../request.ts';

/** What methods on V3 work with. */
export interface ForwardParts {
  readonly endpoint: Upstream;
  readonly profile: Profile;
  readonly body: BodyReader;
}

/** One method of the mapping, ready to serve any account. */
export class ForwardMethod implements Service {
  readonly #parts: ForwardParts;
  readonly #method: Method;
  readonly #writer: RecordWriter | undefined;
  /** Of a reply that is one record which was there before. */
  readonly #scanner: ReplyScanner | undefined;
  readonly #isWrite: boolean;
  readonly #asked: Asked;
  /** The legacy name under which a call's reply goes out as it came. */
  readonly #untouched: string | undefined;

  constructor(parts: ForwardParts, method: Method) {
    this.#parts = parts;
    this.#method = method;
    const { reply } = method;
    this.#writer = 'of' in reply ? new RecordWriter(reply.element, reply.of) : undefined;
    if (reply.form === 'one' && reply.within === undefined && !method.creates)
      this.#scanner = new ReplyScanner(reply.element, reply.of);
    this.#isWrite = method.v3.verbs[0] !== 'GET';
    this.#asked = askedOf(method, this.#isWrite);
    this.#untouched = untouchedName(method, parts.profile);
  }

  async serve(moved: MovedCall): Promise<Reply> {
    const { request, otherwise } = await this.#request(moved);
    const seen = { status: 200 };
    try {
      return await this.#attempt(moved, request, seen);
    } catch (error) {
      const failure = inLegacyTerms(error, seen.status, this.#method);
      if (otherwise?.isMeant(error, seen.status) !== true) throw failure;
      try {
        return await this.#attempt(moved, otherwise.request, seen);
      } catch (again) {
        if (otherwise.isMeant(again, seen.status)) throw failure;
        throw inLegacyTerms(again, seen.status, this.#method);
      }
    }
  }

  /** `seen`: the status of the last answer. */
  async #attempt(moved: MovedCall, request: UpstreamRequest, seen: { status: number }): Promise<Reply> {
    const { call } = moved;
    const send: Send = async (extra, patience) => {
      const asked = extra.length === 0 ? request : { ...request, query: [...request.query, ...extra] };
      const answer = await this.#parts.endpoint.send(moved.to, asked, patience);
      call.trace.upstreamMillis += answer.millis;
      seen.status = answer.status;
      return answer;
    };
    if (this.#untouched !== undefined && this.#untouched === call.segments[1]?.toLowerCase())
      return this.#asItIs(await send([], 'first-byte'));
    const reply = this.#reply(send, moved);
    const body = this.#isWrite ? await written(reply) : await reply;
    return { status: 200, source: 'v3', contentType: LEGACY_CONTENT_TYPE, body };
  }

  async #asItIs(answer: Awaited<ReturnType<Send>>): Promise<Reply> {
    if (answer.status < 200 || answer.status > 299) await openAnswer(answer, this.#asked);
    const body = await receivedBody(answer, this.#isWrite);
    const length = announcedLength(answer);
    return { status: 200, source: 'v3', contentType: LEGACY_CONTENT_TYPE, body, length };
  }

  async #request(moved: MovedCall): Promise<Asking> {
    const { call } = moved;
    const { v3, elsewhere, body } = this.#method;
    const { query, element } = await readCall(call, this.#method, this.#parts.body);
    const { segments, other, document } = await moved.ids.toV3((toV3) => ({
      segments: v3Segments(v3.segments, moved.values, toV3),
      other: elsewhere && v3Segments(elsewhere.segments, moved.values, toV3),
      document:
        body &&
        element &&
        toV3Element(element, body.root, body.of, toV3, (name) => call.trace.dropped.add(name)),
    }));
    const { priority = this.#method.reply.form === 'list' && !this.#isWrite ? 'list' : undefined } = call;
    const request: UpstreamRequest = {
      verb: v3.verbs[0] ?? 'GET',
      segments,
      query,
      ...(document && { body: await bodyOf(document, call) }),
      ...(priority !== undefined && { priority }),
      signal: call.signal,
      leaves: call.leaves,
    };
    if (other)
      return { request, otherwise: { request: { ...request, segments: other }, isMeant: isNotFound } };
    const root = body?.otherRoot;
    if (root === undefined || !document) return { request, otherwise: undefined };
    const named = { ...request, body: await bodyOf({ ...document, name: root }, call) };
    return { request, otherwise: { request: named, isMeant: (error) => misses(error, root) } };
  }

  /** A list goes out as it comes; anything else is one piece, and a reply that is whole can say how long it is. */
  async #reply(send: Send, moved: MovedCall): Promise<Reply['body']> {
    const { call, open } = moved;
    const { reply } = this.#method;
    if (reply.form === 'list') {
      const { container, total } = reply;
      const list = { container, total, open, pageSize: this.#pageSize(call) };
      const pieces = wholeList(list, this.#parts.profile, send, this.#asked, (records) =>
        this.#translate(records, moved),
      );
      return this.#isWrite ? whole(pieces) : started(pieces);
    }
    const answer = await send([], 'first-byte');
    const scanned = answer.status === 200 ? this.#scanner?.scan(answer.whole, moved.ids) : undefined;
    if (scanned !== undefined) return open + scanned + CLOSE_RESPONSE;
    const small = smallAnswer(answer, this.#asked);
    const batches = small === undefined ? await openAnswer(answer, this.#asked) : [small];
    const all: ReplyPart[] = [];
    let text = open;
    for await (const batch of batches)
      if (reply.form === 'id') all.push(...batch);
      else text += await this.#single(batch, moved);
    if (reply.form === 'id') text += await this.#identifier(all, reply.kind, moved);
    return text + CLOSE_RESPONSE;
  }

  /** What belongs behind `Status` in a reply that is no list; whatever else V3 says has no place in V1. */
  async #single(batch: readonly ReplyPart[], moved: MovedCall): Promise<string> {
    const { reply } = this.#method;
    const wanted = reply.form === 'one' ? reply.element : undefined;
    const records = batch.flatMap((part) =>
      part.part === 'record' && part.element.name === wanted ? [part.element] : [],
    );
    return this.#translate(records, moved);
  }

  /** Of the record that was made: its own identifier, or the number (text, the same everywhere) by which it goes. */
  async #identifier(parts: readonly ReplyPart[], kind: Kind, moved: MovedCall): Promise<string> {
    const names = kind === TEXT_NUMBER ? ['ID'] : ['UUID', 'ID'];
    const scalars = parts.flatMap((part) => (part.part === 'scalar' ? [part.element] : []));
    const given = names.flatMap((name) => scalars.filter((scalar) => scalar.name === name))[0];
    if (!given) return '';
    const text = given.text.trim();
    if (kind === TEXT_NUMBER) return `<ID>${escapeText(text)}</ID>`;
    const id = await moved.ids.toLegacy((toLegacy) => toLegacy(kind, text), new Set([text.toLowerCase()]));
    return `<ID>${id ?? ''}</ID>`;
  }

  async #translate(records: readonly XmlElement[], moved: MovedCall): Promise<string> {
    const writer = this.#writer;
    if (!writer || records.length === 0) return '';
    const { creates, body } = this.#method;
    const created = creates ? records.flatMap((record) => [...writer.created(record, body?.of)]) : [];
    return writer.text(records, moved, new Set(created));
  }

  /** undefined: one answer is the whole reply. */
  #pageSize(call: LegacyCall): number | 'own' | undefined {
    const { paged } = this.#method;
    if (paged === false) return undefined;
    if (paged === 'numbered') {
      const { pageParameter } = this.#parts.profile.v3;
      return knownQuery(call, this.#method).some(([name]) => name === pageParameter) ? undefined : 'own';
    }
    const { pageSizes } = this.#parts.profile.v3;
    return pageSizes[this.#method.id] ?? pageSizes.default ?? 100;
  }
}

function askedOf({ reply }: Method, write: boolean): Asked {
  const container = reply.form === 'list' ? reply.container : reply.form === 'one' ? reply.within : undefined;
  return {
    write,
    container: (name) => name === container,
    streams: (part) =>
      !write &&
      reply.form === 'list' &&
      part.part === 'record' &&
      part.container !== undefined &&
      part.container === container,
  };
}

/**
 * With the service's own numbers on V3, no pages, no links, and the method of the same name (it stands in the reply),
 * there is nothing to rewrite.
 */
function untouchedName({ reply, body, paged, v3 }: Method, profile: Profile): string | undefined {
  const name = v3.segments[1];
  const isAlike =
    profile.v3.identifiers === 'number' &&
    paged === false &&
    !('within' in reply && reply.within !== undefined) &&
    body?.otherRoot === undefined &&
    !('of' in reply && holdsLinks(reply.of));
  return isAlike && name !== undefined && 'literal' in name ? name.literal : undefined;
}

/** Path segments of the V3 call, from the values the legacy path held. */
function v3Segments(pattern: readonly Segment[], values: readonly string[], toV3: ToV3): string[] {
  const segments: string[] = [];
  let at = 0;
  for (const segment of pattern) {
    if ('literal' in segment) {
      segments.push(segment.literal);
      continue;
    }
    const value = values[at++] ?? '';
    segments.push(segment.kind === TEXT_NUMBER ? value : toV3(segment.kind, value));
  }
  return segments;
}

interface Asking {
  readonly request: UpstreamRequest;
  /** The same call in another form of V3, for an answer that means it. */
  readonly otherwise:
    | {
        readonly request: UpstreamRequest;
        readonly isMeant: (error: unknown, status: number) => boolean;
      }
    | undefined;
}

const isNotFound = (_error: unknown, status: number): boolean => status === 404;

/** V3 has refused the message, and so done nothing, because it looks for its elements below another root. */
const misses = (error: unknown, root: string): boolean =>
  error instanceof Failure &&
  error.code === 'refused' &&
  new RegExp(`element was missing - /${root}(/|$)`).test(error.text);

/** A method of V1 that V3 no longer has, or does not have for this product. */
const NOT_AVAILABLE = 'This method is not available through the connected service';

/** What V3 says by a status of its own, as V1 would have said it. */
function inLegacyTerms(error: unknown, status: number, { requires }: Method): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'unknownMethod')
    return new Failure('refused', { text: NOT_AVAILABLE, source: 'v3', cause: error });
  // V1 answers 500 for a range of days it cannot read, V3 400.
  if (error.code === 'refused' && status === 400 && requires.length > 0)
    return new Failure('missingRange', { text: error.text, source: error.source, cause: error });
  return error;
}
