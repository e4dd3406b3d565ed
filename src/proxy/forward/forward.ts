/**
 * Serves one method of the mapping from V3: the legacy XML call under OAuth, with V1's numbers rewritten to
 * UUIDs on the way out and back on the way in.
 *
 * In order: read and check the call; translate path and body; send (rate limit, token and judgement of the
 * status belong to the upstream client); translate the reply. A list is sent on as it arrives, page after
 * page until it is complete; everything else is one piece. The reply to a write is held until it is complete,
 * so that a write is never reported with half a reply.
 *
 * Two forms of V3 differ in some paths, verbs and root elements (`elsewhere`, `otherRoot`): if the first answer
 * indicates that, and only then, the other form is tried once. If V3 has the service's own numbers and
 * nothing else differs, the reply is passed on unchanged. At the end, V3's errors are translated into V1's
 * terms.
 */
import {
  answeredBy,
  type FastRead,
  type LegacyCall,
  type MovedCall,
  type PlainCall,
  type Reply,
  type Service,
} from '../call/call.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { UpstreamAnswer, UpstreamRequest, Upstream } from '../../upstream/model.ts';
import type { ReadyUpstream } from '../../upstream/ready-read.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import type { ReplyPart, XmlElement } from '../../lib/xml/element.ts';
import { escapeText } from '../../lib/xml/text.ts';
import { openAnswer, smallAnswer, type Asked } from './answer.ts';
import { bodyOf } from './body.ts';
import { inLegacyTerms, misses } from './legacy-terms.ts';
import { LEGACY_CONTENT_TYPE } from '../../mapping/dialect.ts';
import { TEXT_NUMBER, type Method } from '../../mapping/compile/model.ts';
import { started, whole, written, type Send } from '../call/delivery.ts';
import { listParts } from './list-answer.ts';
import { wholeList } from './pages.ts';
import { listSource } from './list-source.ts';
import { askedOf, inOtherForm, pageSizeOf, untouchedName, type Attempts } from './method-form.ts';
import { v3Segments } from '../identifiers.ts';
import { announcedLength, receivedBody, unchanged } from '../pass-through.ts';
import { isIdentified, RecordWriter } from './reply.ts';
import { plainForm } from './plain-form.ts';
import { ListScan, type ListForm, type ListPart } from './list-scan.ts';
import { ReplyScanner } from './scanner.ts';
import { createdIn, identifiersFor, lacking } from './single-reply.ts';
import type { Replicas } from '../sparing/replica/replicas.ts';
import { readCall, knownQuery } from '../call/read-call.ts';
import { fixedPart, type Translated } from './segments.ts';
import type { BodyReader } from '../call/body-reader.ts';
import { toV3Element } from '../call/request.ts';

/** What methods on V3 need. */
export interface ForwardParts {
  readonly endpoint: Upstream & Partial<ReadyUpstream>;
  readonly profile: Profile;
  readonly body: BodyReader;
  /** Undefined: no list is kept. */
  readonly replicas?: Replicas | undefined;
}

/** One method of the mapping, ready to serve any account. */
export class ForwardMethod implements Service {
  readonly #parts: ForwardParts;
  readonly #method: Method;
  readonly #writer: RecordWriter | undefined;
  /** For a reply that is one existing record. */
  readonly #scanner: ReplyScanner | undefined;
  /** Set if the method reads a list. */
  readonly #listed: ListForm | undefined;
  readonly #isWrite: boolean;
  /** Set if the method shows the record that it creates. */
  readonly #identifiers: readonly string[] | undefined;
  readonly #asked: Asked;
  /** The request of every call, if the path holds no identifier and there is no body. */
  readonly #fixed: Translated | undefined;
  /** The legacy name whose replies are passed on unchanged. */
  readonly #untouched: string | undefined;

  constructor(parts: ForwardParts, method: Method) {
    this.#parts = parts;
    this.#method = method;
    const { reply } = method;
    this.#writer = 'of' in reply ? new RecordWriter(reply.element, reply.of) : undefined;
    if (reply.form === 'one' && reply.within === undefined && !method.creates)
      this.#scanner = new ReplyScanner(reply.element, reply.of);
    this.#isWrite = method.v3.verbs[0] !== 'GET';
    if (reply.form === 'list' && !this.#isWrite && !method.creates)
      this.#listed = { container: reply.container, record: plainForm(reply.element, reply.of) };
    this.#identifiers = identifiersFor(method);
    this.#asked = askedOf(method, this.#isWrite);
    this.#fixed = fixedPart(method);
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

  /** `seen`: receives the status of the last answer. */
  async #attempt(moved: MovedCall, request: UpstreamRequest, seen: { status: number }): Promise<Reply> {
    const { call } = moved;
    const send: Send = async (extra, patience) => {
      const asked = extra.length === 0 ? request : { ...request, query: [...request.query, ...extra] };
      const answer = await this.#parts.endpoint.send(moved.to, asked, patience);
      call.trace.answers[answer.isKept === true ? 'kept' : 'fresh'] += 1;
      seen.status = answer.status;
      return answer;
    };
    if (this.#isUntouched(call)) return this.#asItIs(await send([], 'first-byte'), call);
    const reply = this.#reply(send, moved);
    const body = this.#isWrite ? await written(reply) : await reply;
    const { age } = call.trace;
    const headers = age === undefined ? undefined : { 'X-Causeway-Age': String(age) };
    const source = answeredBy(call.trace, 'v3');
    return { status: 200, source, contentType: LEGACY_CONTENT_TYPE, headers, body };
  }

  /** For a read of one record whose identifiers are in memory, if it may leave at once; otherwise undefined. */
  ready(
    call: PlainCall,
    { to, ids, values, open }: Pick<MovedCall, 'to' | 'ids' | 'values' | 'open'>,
  ): Pick<FastRead, 'ready' | 'reply'> | undefined {
    const isUntouched = this.#isUntouched(call);
    const { v3, body, requires } = this.#method;
    if (this.#isWrite || body !== undefined || requires.length > 0) return undefined;
    if (!isUntouched && this.#scanner === undefined) return undefined;
    const missing: string[] = [];
    const segments =
      this.#fixed?.segments ??
      v3Segments(v3.segments, values, (kind, text) => {
        const id = ids.present(kind, text);
        if (id === undefined) missing.push(kind);
        return id ?? '';
      });
    if (missing.length > 0) return undefined;
    const ready = this.#parts.endpoint.ready?.(to, segments, knownQuery(call, this.#method), this.#method.id);
    if (ready === undefined) return undefined;
    const reply = (answer: Buffer): string | Buffer | undefined => {
      ready.flight?.arrived(answer);
      return isUntouched ? unchanged(answer) : this.#scanner?.scan(answer, ids, open);
    };
    return { ready, reply };
  }

  #isUntouched({ segments }: PlainCall): boolean {
    return this.#untouched !== undefined && this.#untouched === segments[1]?.toLowerCase();
  }

  async #asItIs(answer: Awaited<ReturnType<Send>>, { trace }: LegacyCall): Promise<Reply> {
    if (answer.status < 200 || answer.status > 299) await openAnswer(answer, this.#asked);
    const body = await receivedBody(answer, this.#isWrite);
    const length = announcedLength(answer);
    const source = answeredBy(trace, 'v3');
    return { status: 200, source, contentType: LEGACY_CONTENT_TYPE, body, length };
  }

  async #request(moved: MovedCall): Promise<Attempts> {
    const { call } = moved;
    const { v3, elsewhere, body } = this.#method;
    const { query, element } = await readCall(call, this.#method, this.#parts.body);
    const { segments, other, document } =
      this.#fixed ??
      (await moved.ids.toV3((toV3) => ({
        segments: v3Segments(v3.segments, moved.values, toV3),
        other: elsewhere && v3Segments(elsewhere.segments, moved.values, toV3),
        document:
          body &&
          element &&
          toV3Element(element, body.root, body.of, toV3, (name) => call.trace.dropped.add(name)),
      })));
    const { priority = this.#method.reply.form === 'list' && !this.#isWrite ? 'list' : undefined } = call;
    const request: UpstreamRequest = {
      verb: v3.verbs[0] ?? 'GET',
      segments,
      query,
      ...(document && { body: await bodyOf(document, call) }),
      ...(priority !== undefined && { priority }),
      signal: call.signal,
      leaves: call.leaves,
      sent: call.sent,
      times: call.trace,
      method: this.#sharedAs(call),
    };
    if (other) return { request, otherwise: inOtherForm(request, this.#method, other) };
    const root = body?.otherRoot;
    if (root === undefined || !document) return { request, otherwise: undefined };
    const named = { ...request, body: await bodyOf({ ...document, name: root }, call) };
    return { request, otherwise: { request: named, isMeant: (error) => misses(error, root) } };
  }

  /** The method, if a program only reads and so may share an answer. */
  #sharedAs({ isOwn }: LegacyCall): string | undefined {
    return this.#isWrite || isOwn === true ? undefined : this.#method.id;
  }

  /** A list is sent on as it arrives; any other reply is one piece, and a complete one can announce its length. */
  async #reply(send: Send, moved: MovedCall): Promise<Reply['body']> {
    const { open } = moved;
    const { reply } = this.#method;
    if (reply.form === 'list') return this.#list(send, moved, reply);
    const answer = await send([], 'first-byte');
    const scanned = answer.status === 200 ? this.#scanner?.scan(answer.whole, moved.ids, open) : undefined;
    if (scanned !== undefined) return scanned;
    const small = smallAnswer(answer, this.#asked);
    const batches = small === undefined ? await openAnswer(answer, this.#asked) : [small];
    const parts: ReplyPart[] = [];
    for await (const batch of batches) parts.push(...batch);
    const text = (await this.#single(parts, moved)) || (await this.#identifier(parts, moved));
    const failure = text === '' ? lacking(parts, this.#method, this.#isWrite) : undefined;
    if (failure !== undefined) throw failure;
    return open + text + CLOSE_RESPONSE;
  }

  async #list(send: Send, moved: MovedCall, form: ListReply): Promise<Reply['body']> {
    const { call, open } = moved;
    const { container, total } = form;
    const { source, age } = await listSource(this.#parts, this.#method, moved, send);
    call.trace.age = age;
    const list = await wholeList(
      { container, total, open, pageSize: pageSizeOf(this.#method, this.#parts.profile, call) },
      {
        parameters: this.#parts.profile.v3,
        open: async (query, patience) => this.#page(await source(query, patience), moved, form),
      },
    );
    if (typeof list === 'string') return list;
    return this.#isWrite ? whole(list) : started(list);
  }

  /** A whole page if it has arrived completely and is plain; otherwise its parts as they arrive. */
  #page(answer: UpstreamAnswer, moved: MovedCall, list: ListReply): ListPart | AsyncIterable<ListPart> {
    const form = this.#listed;
    if (form !== undefined && answer.status === 200 && answer.whole !== undefined) {
      const scan = new ListScan(form, moved.ids);
      const part = scan.take(answer.whole, true);
      if (!scan.isUnusual) return part;
    }
    return listParts(answer, form && new ListScan(form, moved.ids), {
      ...list,
      asked: this.#asked,
      written: (records) => this.#translate(records, moved),
    });
  }

  /** The text after `Status` in a reply that is not a list; V1 has no place for anything else V3 says. */
  async #single(batch: readonly ReplyPart[], moved: MovedCall): Promise<string> {
    const { reply } = this.#method;
    const wanted = reply.form === 'one' ? reply.element : undefined;
    const records: XmlElement[] = [];
    for (const part of batch) {
      if (part.part !== 'record' || part.element.name !== wanted) continue;
      if (this.#identifiers !== undefined && !isIdentified(part.element, this.#identifiers)) return '';
      records.push(part.element);
    }
    return (await this.#translate(records, moved)).join('');
  }

  /** For a created record that V3 does not identify: its identifier alone, in the record's element if V1 shows the record. */
  async #identifier(parts: readonly ReplyPart[], moved: MovedCall): Promise<string> {
    const given = createdIn(parts, this.#method, this.#parts.profile);
    if (given === undefined) return '';
    const { kind, text } = given;
    const id =
      kind === TEXT_NUMBER
        ? escapeText(text)
        : await moved.ids.toLegacy((toLegacy) => toLegacy(kind, text), new Set([text.toLowerCase()]));
    const { reply } = this.#method;
    const number = `<ID>${id ?? ''}</ID>`;
    return reply.form === 'one' ? `<${reply.element}>${number}</${reply.element}>` : number;
  }

  async #translate(records: readonly XmlElement[], moved: MovedCall): Promise<readonly string[]> {
    const writer = this.#writer;
    if (!writer || records.length === 0) return [];
    const { creates, body } = this.#method;
    const created = creates ? records.flatMap((record) => [...writer.created(record, body?.of)]) : [];
    return writer.texts(records, moved, new Set(created));
  }
}

type ListReply = Method['reply'] & { readonly form: 'list' };
