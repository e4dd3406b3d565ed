/**
 * Forwards methods that have no row in the mapping to V3, by one generic rule.
 *
 * Verb, path and XML stay the same; only the names in the rename table of `identifiers.yaml` change, and
 * their values are translated between numbers and UUIDs. Everything else is passed on. In a reply, a UUID
 * with an unknown number becomes an empty element (docs/decisions/calls/0003-unlearned-identifiers.md), and V3's
 * paging elements are left out, because V1 had none; a list that V3 counts longer than it gave it is not whole, and
 * fails.
 */
import type { LegacyCall, MovedCall, Reply, Service } from '../call/call.ts';
import { Failure } from '../../lib/failure.ts';
import type { UpstreamRequest, Upstream } from '../../upstream/model.ts';
import { CLOSE_RESPONSE, writeElement } from '../../lib/xml/document.ts';
import type { ReplyPart, XmlElement } from '../../lib/xml/element.ts';
import { openAnswer } from './answer.ts';
import { bodyOf } from './body.ts';
import { LEGACY_CONTENT_TYPE, openReply } from '../../mapping/dialect.ts';
import { started, whole, written } from '../call/delivery.ts';
import { absentIn, missingParameter } from '../call/read-call.ts';
import { fewerThanCounted } from '../call/status.ts';
import { isUuid } from '../../lib/text/uuid.ts';
import { legacyNumber, type ToLegacy, type ToV3, type Translation } from '../identifiers.ts';
import type { GenericTable } from '../../mapping/compile/model.ts';
import type { BodyReader } from '../call/body-reader.ts';
import { invalidValue } from '../call/request.ts';

/** Serves such methods for accounts that have moved. */
export class GenericForward implements Service {
  readonly #endpoint: Upstream;
  readonly #table: GenericTable;
  readonly #body: BodyReader;

  constructor(parts: {
    readonly endpoint: Upstream;
    readonly table: GenericTable;
    readonly body: BodyReader;
  }) {
    this.#endpoint = parts.endpoint;
    this.#table = parts.table;
    this.#body = parts.body;
  }

  async serve({ call, to, ids }: MovedCall): Promise<Reply> {
    const request = await this.#request(call, ids);
    const write = call.verb !== 'GET';
    const answer = await this.#endpoint.send(to, request);
    const parts = await openAnswer(answer, { write, container: () => undefined, streams: () => !write });
    const chunks = this.#chunks(call, parts, ids);
    const body = write ? await written(whole(chunks)) : await started(chunks);
    return { status: 200, source: 'v3', contentType: LEGACY_CONTENT_TYPE, body };
  }

  async #request(call: LegacyCall, ids: Translation): Promise<UpstreamRequest> {
    const absent = absentIn(call.query, this.#table.required(call.segments));
    if (absent !== undefined) throw missingParameter(absent);
    const element =
      call.verb === 'GET' ? undefined : await this.#body.read(call, { large: isUpload(call.segments) });
    const family = call.segments[0] ?? '';
    const { document, ...request } = await ids.toV3((toV3) => {
      const document = element && toV3Generic(element, '', family, this.#table, toV3);
      return {
        document,
        verb: this.#table.verb(call.verb, call.segments),
        segments: this.#segments(call.segments, toV3),
        query: call.query
          .filter(([name]) => name.toLowerCase() !== 'uuidmode')
          .map((pair) => this.#parameter(pair, toV3)),
        signal: call.signal,
        leaves: call.leaves,
        times: call.trace,
      };
    });
    return document === undefined ? request : { ...request, body: await bodyOf(document, call) };
  }

  #segments(segments: readonly string[], toV3: ToV3): string[] {
    const kind = this.#table.pathKind(segments);
    return segments.map((segment, index) => {
      if (index < 2 || kind === undefined || legacyNumber(segment, 'accept') === undefined) return segment;
      return toV3(kind, segment);
    });
  }

  #parameter([name, value]: readonly [string, string], toV3: ToV3): readonly [string, string] {
    const rename = this.#table.byLegacyName('', name);
    return rename ? [rename.v3, toV3(rename.kind, value)] : [name, value];
  }

  async *#chunks(
    call: LegacyCall,
    parts: AsyncIterable<readonly ReplyPart[]>,
    ids: Translation,
  ): AsyncGenerator<string> {
    let pending = openReply(call.segments);
    let hasBegun = false;
    const length = new ListLength(call);
    for await (const batch of parts) {
      length.add(batch);
      const text = await ids.toLegacy(
        (toLegacy) => batch.map((part) => this.#part(part, call.segments, toLegacy)).join(''),
        this.#table.creates(call.verb, call.segments) ? createdIn(batch) : undefined,
      );
      if (text === '') continue;
      // A short reply is known to be whole before any of it is sent.
      if (hasBegun) yield pending;
      pending = hasBegun ? text : pending + text;
      hasBegun = true;
    }
    length.checkEnd();
    yield pending + CLOSE_RESPONSE;
  }

  #part(part: ReplyPart, segments: readonly string[], toLegacy: ToLegacy): string {
    const family = segments[0] ?? '';
    switch (part.part) {
      case 'open':
        return `<${part.name}>`;
      case 'close':
        return `</${part.name}>`;
      case 'record':
        return writeElement(toLegacyGeneric(part.element, '', family, this.#table, toLegacy));
      case 'scalar':
        return PAGING.has(part.element.name)
          ? ''
          : writeElement(this.#scalar(part.element, segments, toLegacy));
    }
  }

  /** A call that creates a record returns its identifier beside `Status`. */
  #scalar(element: XmlElement, segments: readonly string[], toLegacy: ToLegacy): XmlElement {
    const kind = this.#table.pathKind(segments);
    if (element.name !== 'UUID' || kind === undefined) return element;
    return { ...element, name: 'ID', text: toLegacy(kind, element.text.trim()) ?? '' };
  }
}

/** The identifiers directly under `Response` and of a record there: those of records that this call has created. */
function createdIn(parts: readonly ReplyPart[]): Set<string> {
  const leaves = parts.flatMap((part) => {
    if (part.part === 'scalar') return [part.element];
    return part.part === 'record' && part.container === undefined ? part.element.children : [];
  });
  return new Set(leaves.filter(({ name }) => name === 'UUID').map(({ text }) => text.trim().toLowerCase()));
}

/** Paging elements of V3; V1 has none. */
const PAGING: ReadonlySet<string> = new Set(['TotalRecords', 'Page', 'PageSize']);
/** With one of these a program asks for a part of a list. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set(['page', 'pagesize']);

/**
 * Compares the records of a list with the service's own count: the program gets no paging, so it takes them for all.
 * Entries without elements are not recognised as records, so that a list of them says nothing.
 */
class ListLength {
  readonly #isWhole: boolean;
  #records = 0;
  #total = 0;

  constructor({ verb, query }: LegacyCall) {
    this.#isWhole = verb === 'GET' && !query.some(([name]) => PAGE_PARAMETERS.has(name.toLowerCase()));
  }

  add(parts: readonly ReplyPart[]): void {
    for (const part of parts)
      if (part.part === 'record' && part.container !== undefined) this.#records += 1;
      else if (part.part === 'scalar' && part.element.name === 'TotalRecords')
        this.#total = Number(part.element.text);
  }

  /** Throws `Failure` if only a part of the list was received. */
  checkEnd(): void {
    if (this.#isWhole && this.#records > 0 && this.#total > this.#records) throw fewerThanCounted();
  }
}

/** Whether a method carries a file, like `job.api/document`. */
export const isUpload = (segments: readonly string[]): boolean => segments[1]?.toLowerCase() === 'document';

/** Throws `Failure` unknownMethod unless the path has the form `<family>.api/<method>…`. */
export function checkGenericPath(segments: readonly string[]): void {
  const [family = '', method = ''] = segments;
  if (!/^[a-z]+\.api$/.test(family) || !/^[a-z]+$/i.test(method)) throw new Failure('unknownMethod');
}

/**
 * The element in V3's form by the generic rule: names listed in `identifiers.yaml` are renamed and their values
 * translated; everything else is passed on, without namespace declarations. Throws `Failure` for text beside elements,
 * which would be lost.
 */
export function toV3Generic(
  element: XmlElement,
  parent: string,
  family: string,
  table: GenericTable,
  toV3: ToV3,
): XmlElement {
  const attributes = element.attributes
    .filter(([name]) => !name.startsWith('xmlns') && !name.includes(':'))
    .map(([name, value]): readonly [string, string] => {
      const rename = table.attribute(family, name, 'legacy');
      return rename ? [rename.v3, toV3(rename.kind, value.trim())] : [name, value];
    });
  if (element.texts !== undefined) throw invalidValue(element.name);
  if (element.children.length > 0) {
    const children = element.children.map((child) => toV3Generic(child, element.name, family, table, toV3));
    return { ...element, attributes, children };
  }
  const own = element.name.toLowerCase() === 'id' ? table.recordKind(family, parent) : undefined;
  if (own !== undefined)
    return { ...element, name: 'UUID', attributes, text: toV3(own, element.text.trim()) };
  const rename = table.byLegacyName(parent, element.name);
  if (!rename) return { ...element, attributes };
  return { ...element, name: rename.v3, attributes, text: toV3(rename.kind, element.text.trim()) };
}

/** The reverse, for a reply: a UUID with an unknown number becomes an empty element. */
export function toLegacyGeneric(
  element: XmlElement,
  parent: string,
  family: string,
  table: GenericTable,
  toLegacy: ToLegacy,
): XmlElement {
  const attributes = element.attributes.map(([name, value]): readonly [string, string] => {
    const rename = isUuid(value) ? table.attribute(family, name, 'v3') : undefined;
    return rename ? [rename.legacy, toLegacy(rename.kind, value) ?? ''] : [name, value];
  });
  if (element.children.length > 0) {
    const children = element.children.map((child) =>
      toLegacyGeneric(child, element.name, family, table, toLegacy),
    );
    return { ...element, attributes, children };
  }
  const text = element.text.trim();
  if (text !== '' && !isUuid(text)) return { ...element, attributes };
  const own = element.name === 'UUID' ? table.recordKind(family, parent) : undefined;
  if (own !== undefined) return { ...element, name: 'ID', attributes, text: toLegacy(own, text) ?? '' };
  const rename = table.byV3Name(parent, element.name);
  return rename
    ? { ...element, name: rename.legacy, attributes, text: toLegacy(rename.kind, text) ?? '' }
    : { ...element, attributes };
}
