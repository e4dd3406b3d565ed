/**
 * Reads the bodies of legacy calls: decodes and parses the bytes within the limits. A large body (a document) counts until
 * it has been processed; if there are already four, the caller is asked to come back.
 */
import type { Body, LegacyCall } from './call.ts';
import type { DocumentBody } from '../../features/writes/documents/document-body.ts';
import { Failure } from '../../lib/failure.ts';
import { STEP } from '../../lib/time/turn.ts';
import { decodeBody, decodeBodyInSteps } from '../../lib/xml/bytes/decode.ts';
import { XmlFault, type XmlElement, type XmlLimits } from '../../lib/xml/element.ts';
import { defaultLimits, documentLimits, readDocument, readDocumentInSteps } from '../../lib/xml/read.ts';
import type { Profile } from '../../upstream/profile.ts';
import { withoutDoubles } from '../../mapping/doubled-identifiers.ts';
import type { RecordTable } from '../../mapping/compile/model.ts';

const MESSAGE_LIMIT = 1024 * 1024;
/** In bytes, for a file in base64. */
const DOCUMENT_LIMIT = 32 * 1024 * 1024;
const LARGE_AT_ONCE = 4;

type Doubled = Profile['legacyIdentifiers']['doubled'];

/** How a body is to be read; `of`: undefined if no row describes it. */
interface RequestForm {
  readonly large: boolean;
  readonly of?: RecordTable | undefined;
}

/**
 * Reads bodies as legacy programs send them, whatever their content type. Only a few large ones at a time, because each
 * is held whole.
 */
export class BodyReader {
  readonly #doubled: Doubled;
  #large = 0;
  /** Bodies read before their call had a route. */
  readonly #peeked = new WeakMap<Body, Promise<XmlElement | undefined>>();

  constructor(doubled: Doubled = 'refuse') {
    this.#doubled = doubled;
  }

  /** The bytes, for a route that does not interpret them. */
  bytes(call: LegacyCall, large: boolean): Promise<Buffer> {
    return this.#taken(call, large, (bytes) => bytes);
  }

  /** The element that `read` will return, for choosing a route; the body is read only once. */
  peek(call: LegacyCall, form: RequestForm): Promise<XmlElement | undefined> {
    const element = this.read(call, form);
    this.#peeked.set(call.body, element);
    return element;
  }

  /** The element that was sent; undefined for an empty body. Throws `Failure` malformedXml, bodyTooLarge, busy. */
  read(call: LegacyCall, { large, of }: RequestForm): Promise<XmlElement | undefined> {
    const peeked = this.#peeked.get(call.body);
    this.#peeked.delete(call.body);
    if (peeked !== undefined) return peeked;
    const limits = large ? documentLimits : defaultLimits;
    const read = call.document
      ? this.#readDocument(call, call.document)
      : this.#taken(call, large, (bytes) => elementIn(bytes, limits, call.charset));
    const doubled = this.#doubled;
    if (doubled === 'refuse' || of === undefined) return read;
    return read.then((element) => element && withoutDoubles(element, of, doubled));
  }

  /** Reads the message without the document's content if possible; the content is put back while the message leaves. */
  async #readDocument(call: LegacyCall, document: DocumentBody): Promise<XmlElement | undefined> {
    const rest = await document.rest();
    if (rest !== undefined) return elementIn(rest, documentLimits, call.charset);
    return this.#taken(call, true, (bytes) => elementIn(bytes, documentLimits, call.charset));
  }

  /** A large body counts until it has been processed. */
  async #taken<T>(call: LegacyCall, large: boolean, use: (bytes: Buffer) => T | Promise<T>): Promise<T> {
    if (!large) return use(await call.body.read(MESSAGE_LIMIT));
    if (this.#large >= LARGE_AT_ONCE) throw new Failure('busy', { retryAfter: 5 });
    this.#large += 1;
    try {
      return await use(await call.body.read(DOCUMENT_LIMIT));
    } finally {
      this.#large -= 1;
    }
  }
}

async function documentIn(bytes: Buffer, limits: XmlLimits, charset?: string) {
  if (bytes.length > STEP) return readDocumentInSteps(decodeBodyInSteps(bytes, charset), limits);
  const text = decodeBody(bytes, charset);
  return text.trim() === '' ? undefined : readDocument(text, limits);
}

/**
 * Refuses names with a misplaced colon: XML allows colons anywhere, but with namespaces a name has at most one, between
 * two others (Namespaces, production 7), and no writer produces anything else. Throws `XmlFault`.
 */
function checkNames(root: XmlElement): void {
  const open = [root];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    checkQualified(one.name);
    for (const [name] of one.attributes) checkQualified(name);
    for (const child of one.children) open.push(child);
  }
}

function checkQualified(name: string): void {
  const colon = name.indexOf(':');
  if (colon === -1) return;
  if (colon === 0 || colon === name.length - 1 || name.includes(':', colon + 1))
    throw new XmlFault('malformed');
}

async function elementIn(bytes: Buffer, limits: XmlLimits, charset?: string) {
  try {
    const element = await documentIn(bytes, limits, charset);
    if (element !== undefined) checkNames(element);
    return element;
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    if (error.reason === 'too-large') throw new Failure('bodyTooLarge', { cause: error });
    throw new Failure('malformedXml', { cause: error });
  }
}
