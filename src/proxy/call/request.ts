/**
 * Reads the bodies of legacy calls and rewrites them for V3.
 *
 * `BodyReader` reads bytes, decodes and parses them within the limits. A large body (a document) counts until it has
 * been processed; if there are already four, the caller is asked to come back. `checkRequired` refuses what the legacy
 * service would have refused, with its message and before anything is looked up. `toV3Element` then rewrites the
 * element: only known elements, in the order of the table, identifiers translated. Unknown elements are left out and
 * counted. So is a tax number in its masked form, which would overwrite the real one (XML specification, "Practice
 * management module fields": TaxNumber is returned masked).
 */
import type { Body, LegacyCall } from './call.ts';
import type { DocumentBody } from '../../features/writes/documents/document-body.ts';
import { Failure } from '../../lib/failure.ts';
import { STEP } from '../../lib/time/turn.ts';
import { decodeBody, decodeBodyInSteps } from '../../lib/xml/bytes/decode.ts';
import { XmlFault, type XmlElement, type XmlLimits } from '../../lib/xml/element.ts';
import { defaultLimits, documentLimits, readDocument, readDocumentInSteps } from '../../lib/xml/read.ts';
import { isMasked } from '../../mapping/formats.ts';
import type { Profile } from '../../upstream/profile.ts';
import { withoutDoubles } from '../../mapping/doubled-identifiers.ts';
import type { ToV3 } from '../identifiers.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import { isIdentifier, type ValueRow } from '../../mapping/compile/records.ts';

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

/** Reports an element left out of a request, for the log: its name, never its value. */
export type Dropped = (element: string) => void;

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

/**
 * The legacy service's refusal of a message without an element, named by its path. `isOfCall`: V1 and V3 require it,
 * too.
 */
export function missing(path: readonly string[], isOfCall = false): Failure {
  return new Failure('refused', {
    isOfCall,
    text: `Message not in expected format. The following required element was missing - /${path.join('/')}`,
  });
}

const plain = (name: string, text: string): XmlElement => ({
  name,
  attributes: [],
  children: [],
  text,
  selfClosing: false,
});
const parent = (
  name: string,
  children: readonly XmlElement[],
  attributes: XmlElement['attributes'] = [],
): XmlElement => ({
  name,
  attributes,
  children,
  text: '',
  selfClosing: children.length === 0,
});

/** The refusal of an element that cannot be passed on as a value, because it contains markup. */
export const invalidValue = (element: string): Failure =>
  new Failure('refused', { isOfCall: true, text: `Invalid value for ${element}` });

/**
 * Sorts the children of an element by the rows of its record; a repeated single element is an error, as is a value with
 * elements in it, which would be passed on as empty.
 */
export function sortedChildren(
  element: XmlElement,
  table: RecordTable,
  path: readonly string[],
  dropped: Dropped,
): Map<RecordRow, XmlElement[]> {
  const given = new Map<RecordRow, XmlElement[]>();
  for (const child of element.children) {
    const row = rowOf(table, child.name);
    if (!row) {
      dropped([...path, child.name].join('/'));
      continue;
    }
    if (row.holds === 'value' && child.children.length > 0) throw invalidValue(child.name);
    const same = given.get(row);
    if (!same) given.set(row, [child]);
    else if (row.holds === 'many') same.push(child);
    else if (isOtherForm(child, same[0], row)) given.set(row, bothForms([...same, child], row));
    else
      throw new Failure('refused', {
        isOfCall: true,
        text: `Message not in expected format. The element ${row.element} was found twice`,
      });
  }
  return given;
}

/** In transition mode a request may name a record by both its number and its UUID. */
const isOtherForm = (child: XmlElement, first: XmlElement | undefined, row: RecordRow): row is ValueRow =>
  isIdentifier(row) && first?.name.toLowerCase() !== child.name.toLowerCase();

/** Both must agree. A number that is text takes precedence alone, because its UUID cannot be checked here. */
function bothForms(children: XmlElement[], { kind, element }: ValueRow): XmlElement[] {
  if (kind !== undefined) return children;
  const isNumber = ({ name, text }: XmlElement): boolean =>
    name.toLowerCase() === element.toLowerCase() && text.trim() !== '';
  return [children.find(isNumber) ?? children.findLast(({ text }) => text.trim() !== '') ?? children].flat();
}

/** Throws if an element that the legacy service requires is missing or empty, before any identifier is looked up. */
export function checkRequired(
  element: XmlElement | undefined,
  table: RecordTable,
  path: readonly string[],
): void {
  for (const row of table.rows) {
    if (row.holds === 'value') checkValue(element, row, table, path);
    else checkRecords(element, row, table, path);
  }
}

function checkValue(
  element: XmlElement | undefined,
  row: ValueRow,
  table: RecordTable,
  path: readonly string[],
): void {
  if (!row.isRequired || valueOf(element, row, table).trim() !== '') return;
  throw absent(row, [...path, row.isAttribute ? `@${row.element}` : row.element]);
}

function checkRecords(
  element: XmlElement | undefined,
  row: Exclude<RecordRow, ValueRow>,
  table: RecordTable,
  path: readonly string[],
): void {
  const at = row.holds === 'list' ? [...path, row.element, row.child] : [...path, row.element];
  const records = recordsOf(element, row, table);
  for (const record of records) checkRequired(record, row.of, at);
  if (!row.isRequired || records.length > 0) return;
  if (row.holds === 'one') checkRequired(undefined, row.of, at);
  else throw absent(row, at);
}

/** The legacy service's refusal of a message without the row's element, in its own words for it if it has any. */
export const absent = ({ required }: RecordRow, path: readonly string[]): Failure =>
  required === undefined ? missing(path, true) : new Failure('refused', { text: required, isOfCall: true });

/** The attribute of a row; undefined if it is not given. */
export const attributeOf = (
  element: XmlElement | undefined,
  row: RecordRow,
  table: RecordTable,
): string | undefined => element?.attributes.find(([name]) => rowOf(table, `@${name}`) === row)?.[1];

/** The value of a row, '' if it is not given. */
function valueOf(element: XmlElement | undefined, row: ValueRow, table: RecordTable): string {
  const text = row.isAttribute
    ? attributeOf(element, row, table)
    : element?.children.find(({ name, text: held }) => rowOf(table, name) === row && held.trim() !== '')
        ?.text;
  return text ?? '';
}

/** The records given for a row; for a list, those inside its container. */
function recordsOf(
  element: XmlElement | undefined,
  row: RecordRow,
  table: RecordTable,
): readonly XmlElement[] {
  const given = element?.children.filter(({ name }) => rowOf(table, name) === row) ?? [];
  return row.holds === 'list' ? given.flatMap((container) => entriesOf(container, row.child)) : given;
}

const rowOf = (table: RecordTable, name: string): RecordRow | undefined =>
  table.byLegacyName.get(name.toLowerCase());

const entriesOf = (container: XmlElement, name: string): readonly XmlElement[] =>
  container.children.filter((entry) => entry.name.toLowerCase() === name.toLowerCase());

/** Rewrites a legacy element in the form of V3: only known elements, in the table's order, identifiers translated. */
export function toV3Element(
  element: XmlElement,
  name: string,
  table: RecordTable,
  toV3: ToV3,
  dropped: Dropped,
  path: readonly string[] = [name],
): XmlElement {
  const given = sortedChildren(element, table, path, dropped);
  const children: XmlElement[] = [];
  for (const row of table.rows) {
    for (const child of given.get(row) ?? []) {
      const written = toV3Row(child, row, toV3, dropped, [...path, row.element]);
      if (written) addOnce(children, written, row, toV3);
    }
  }
  return parent(name, children, attributesOf(element, table, toV3));
}

/** The attributes that the record knows, in the table's order; an empty one is left out. */
function attributesOf(element: XmlElement, table: RecordTable, toV3: ToV3): XmlElement['attributes'] {
  if (element.attributes.length === 0) return [];
  return table.rows.flatMap((row) => {
    if (row.holds !== 'value' || !row.isAttribute) return [];
    const text = valueOf(element, row, table).trim();
    return text === '' ? [] : [[row.v3, row.kind === undefined ? text : toV3(row.kind, text)] as const];
  });
}

/**
 * Two legacy elements may have one V3 name (`ID` and `UUID` of a custom field): both are accepted if they agree.
 * Identifiers that contradict each other identify nothing and are refused with that message.
 */
function addOnce(children: XmlElement[], written: XmlElement, row: RecordRow, toV3: ToV3): void {
  const index = row.holds === 'value' ? children.findIndex((child) => child.name === written.name) : -1;
  const other = children[index];
  if (!other || other.text === '') {
    if (other) children.splice(index, 1, written);
    else children.push(written);
    return;
  }
  if (written.text === '' || written.text.toLowerCase() === other.text.toLowerCase()) return;
  if (row.holds === 'value' && row.kind !== undefined) toV3(row.kind, `${other.text} ${written.text}`);
  throw new Failure('refused', {
    text: `The identifiers given for ${written.name} do not agree`,
    isOfCall: true,
  });
}

function toV3Row(
  child: XmlElement,
  row: RecordRow,
  toV3: ToV3,
  dropped: Dropped,
  path: readonly string[],
): XmlElement | undefined {
  switch (row.holds) {
    case 'one':
    case 'many':
      return toV3Element(child, row.v3, row.of, toV3, dropped, path);
    case 'list': {
      const entries = entriesOf(child, row.child);
      return parent(
        row.v3,
        entries.map((entry) => toV3Element(entry, row.child, row.of, toV3, dropped, [...path, row.child])),
      );
    }
    case 'value': {
      if (row.format === 'maskedTail' && isMasked(child.text)) {
        // The masked form that the service once returned would overwrite the real number.
        dropped(path.join('/'));
        return undefined;
      }
      return plain(
        row.v3,
        row.kind === undefined ? child.text : toV3(row.kind, child.text.trim(), row.unknown),
      );
    }
  }
}
