/**
 * Calls V3: the XML of V1 with UUIDs, authorised by a token. A list is read page by page and returned
 * completely or not at all.
 */
import { formatOf, isNoValue } from '../../../../../mapping/formats.ts';
import { textOf } from '../../../../../mapping/compile/path.ts';
import { NotFound, Refused } from './errors.ts';
import type { Call } from './call.ts';
import type { RecordValue, Records, Row, Rows, Value } from '../../../../../proof/client/client-tables.ts';
import { wholeList } from './pages.ts';
import type { Answer } from './transport.ts';
import { readXml, writeXml, type XmlElement } from '../../../../../proof/client/plain-xml.ts';

/** Returns the content of the reply besides `Status`. Throws `ServiceError`. */
export async function callV3(call: Call): Promise<unknown> {
  const { reply } = call.method;
  const query = [...call.query];
  const body = call.body;
  const document = body && writtenBody(call, body);
  if (reply.form === 'list') return listOf(call, query, document, reply);
  const root = await ask(call, query, document);
  switch (reply.form) {
    case 'status':
      return undefined;
    case 'one':
      return oneIn(call, root, reply);
    case 'id':
      return idIn(root, reply.kind);
  }
}

type Query = readonly (readonly [string, string])[];
type ListReply = Call['method']['reply'] & { readonly form: 'list' };
type OneReply = Call['method']['reply'] & { readonly form: 'one' };

function oneIn(call: Call, root: XmlElement, { element, of }: OneReply): RecordValue {
  const found = [root, ...root.children].flatMap(({ children }) => children.filter(isNamed(element)))[0];
  if (found === undefined) throw call.unusable(`The answer has no ${element}`);
  return readRecord(found, rowsOf(call.method.records, of), call.method.records);
}

/** A number that is text is in `ID`; all other identifiers are UUIDs. */
function idIn(root: XmlElement, kind: string): string {
  const names = kind === 'number' ? ['ID'] : ['UUID', 'ID'];
  const found = names.map((name) => root.children.find(isNamed(name))?.text.trim());
  return found.find((text) => text !== undefined && text !== '') ?? '';
}

const isNamed =
  (name: string) =>
  (element: XmlElement): boolean =>
    element.name === name;

/** Returns the root of the answer, trying the forms of the call until one exists. */
async function ask(call: Call, query: Query, body: string | undefined): Promise<XmlElement> {
  const { verb, path, elsewhere, otherVerb } = call.method.v3;
  try {
    return await askAt(call, { verb, path }, query, body);
  } catch (error) {
    if (elsewhere !== undefined && error instanceof NotFound)
      return askAt(call, { verb, path: elsewhere }, query, body);
    // Nothing was done: the service has the call under another verb.
    if (otherVerb !== undefined && error instanceof Refused && error.status === 405)
      return askAt(call, { verb: otherVerb, path }, query, body);
    throw error;
  }
}

async function askAt(
  call: Call,
  { verb, path: pattern }: Pick<Call['method']['v3'], 'verb' | 'path'>,
  query: Query,
  body: string | undefined,
): Promise<XmlElement> {
  const path = pattern.map((part) => (part.startsWith('{') ? call.placed(part.slice(1, -1)) : part));
  const contentType = body === undefined ? undefined : 'text/xml; charset=utf-8';
  const answer = await call.send({ verb, path, query, body, contentType });
  const root = rootIn(answer);
  const isOk = answer.status >= 200 && answer.status < 300;
  const status = root?.children.find(isNamed('Status'))?.text.trim();
  if (isOk && status === 'OK' && root !== undefined) return root;
  const words = root?.children.find(isNamed('ErrorDescription'))?.text;
  if (isOk && status === 'ERROR')
    throw new Refused(words ?? 'The service refused the call', {
      ...{ method: call.method.id, api: 'v3', status: answer.status },
    });
  if (isOk) throw call.unusable('The answer is not XML of the service');
  throw call.failure(answer.status, words, verb === 'GET');
}

function rootIn({ text }: Answer): XmlElement | undefined {
  try {
    return readXml(text);
  } catch {
    return undefined;
  }
}

async function listOf(
  call: Call,
  query: Query,
  body: string | undefined,
  reply: ListReply,
): Promise<readonly RecordValue[]> {
  const all = await recordsOf(call, query, body, reply);
  const rows = rowsOf(call.method.records, reply.of);
  return all.map((element) => readRecord(element, rows, call.method.records));
}

/** Returns each record once. Throws if the list may be incomplete. */
async function recordsOf(
  call: Call,
  query: Query,
  body: string | undefined,
  reply: ListReply,
): Promise<readonly XmlElement[]> {
  const { pageSize: size } = call.method.v3;
  const names = call.around.shared.v3;
  const answered = async (asked: Query) => {
    const root = await ask(call, [...query, ...asked], body);
    const records = listIn(call, root, reply);
    return { records, total: countIn(root, 'TotalRecords'), full: countIn(root, 'PageSize') ?? size };
  };
  // A call that names a page gets that page.
  const isOnePage = call.query.has(names.page);
  if (isOnePage || size === undefined) {
    const { records, total } = await answered([]);
    if (!isOnePage && records.length < (total ?? 0)) throw call.unusable('The list is not whole', true);
    return records;
  }
  return wholeList(call, {
    page: async (number) => {
      const sized: Query = size === 'own' ? [] : [[names.size, String(size)]];
      const { records, total, full } = await answered([[names.page, String(number)], ...sized]);
      return { records, total, isFull: full === 'own' || records.length === full };
    },
    identityOf,
  });
}

/**
 * Throws if the records are in another place than the list, because an empty list would make the program delete its own
 * records. An answer that holds nothing at all is an empty list.
 */
function listIn(call: Call, root: XmlElement, { container, element }: ListReply): readonly XmlElement[] {
  const list = root.children.find(isNamed(container));
  const beside = root.children.filter(({ name }) => name !== container && !BESIDE.has(name));
  const isElsewhere = beside.some(
    ({ name, children, text }) =>
      name === element ||
      children.some(isNamed(element)) ||
      (list === undefined && (children.length > 0 || (text.trim() !== '' && !isPaging(name, text.trim())))),
  );
  if (isElsewhere) throw call.unusable(`The answer has no ${container}`, true);
  return list?.children.filter(isNamed(element)) ?? [];
}

/** Elements about the pages of a list. */
const BESIDE: ReadonlySet<string> = new Set(['Status', 'TotalRecords', 'Page', 'PageSize']);

/** A whole number says nothing but how the list is paged, unless it counts records that are not there. */
const isPaging = (name: string, text: string): boolean =>
  /^0+$/.test(text) || (/^\d+$/.test(text) && (/page/i.test(name) || !/count|records|total/i.test(name)));

function identityOf({ children }: XmlElement): string | undefined {
  const own = children.find(isNamed('UUID')) ?? children.find(isNamed('ID'));
  const text = own?.text.trim().toLowerCase();
  return text === '' ? undefined : text;
}

function countIn(root: XmlElement, name: string): number | undefined {
  const text = root.children.find(isNamed(name))?.text.trim() ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The rows of a record in the family. */
export const rowsOf = (records: Records, name: string): Rows => records[name] ?? {};

/** Reads a record of V3 under the legacy names of its elements. */
export function readRecord(element: XmlElement, rows: Rows, records: Records): RecordValue {
  const found: Record<string, Value> = {};
  for (const [name, row] of Object.entries(rows)) {
    const names = [row.v3 ?? name, ...(row.also ?? [])];
    const child = names
      .map((one) => element.children.findLast(isNamed(one)))
      .find((one) => one !== undefined);
    const value = valueIn(child, row, records);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function valueIn(child: XmlElement | undefined, row: Row, records: Records): Value | undefined {
  if (row.one !== undefined)
    return child === undefined || isUnset(child)
      ? undefined
      : readRecord(child, rowsOf(records, row.one), records);
  if (row.list !== undefined) {
    const [name, of] = row.list;
    if (child === undefined) return row.unset === 'empty' && row.v2?.detailed !== true ? [] : undefined;
    return child.children
      .filter(isNamed(name))
      .map((entry) => readRecord(entry, rowsOf(records, of), records));
  }
  if (row.many !== undefined) return undefined;
  return textIn(child, row);
}

function textIn(child: XmlElement | undefined, { id, as, unset }: Row): string | undefined {
  const text = id === undefined ? (child?.text ?? '') : (child?.text.trim() ?? '');
  if (text === '') return unset === 'omit' || (unset === 'asGiven' && child === undefined) ? undefined : '';
  return as === undefined || id !== undefined ? text : (formatOf(as).fromV3?.(text) ?? text);
}

/** V3 may write an unset record as an empty element. */
const isUnset = ({ children }: XmlElement): boolean =>
  children.every((child) => child.children.length === 0 && child.text.trim() === '');

function writtenBody({ method }: Call, given: RecordValue): string {
  const { root = '', of = '' } = method.body ?? {};
  return `<?xml version="1.0" encoding="UTF-8"?>\r\n${writeXml(writtenRecord(root, given, rowsOf(method.records, of), method.records))}`;
}

/** Writes a record for V3, with its elements in the order of the table. */
function writtenRecord(name: string, given: RecordValue, rows: Rows, records: Records): XmlElement {
  const attributes: Record<string, string> = {};
  const children: XmlElement[] = [];
  for (const [element, row] of Object.entries(rows)) {
    const value = Object.hasOwn(given, element) ? given[element] : undefined;
    const own = row.v3 ?? element;
    if (value === undefined) continue;
    if (row.attribute === true) attributes[own] = textOf(value) ?? '';
    else children.push(...writtenValue(own, value, row, records));
  }
  return { name, attributes, children, text: '' };
}

function writtenValue(own: string, value: Value, row: Row, records: Records): readonly XmlElement[] {
  const record = (name: string, one: RecordValue, of: string): XmlElement =>
    writtenRecord(name, one, rowsOf(records, of), records);
  if (row.one !== undefined) return [record(own, value as RecordValue, row.one)];
  if (row.many !== undefined) {
    const { many } = row;
    return (value as readonly RecordValue[]).map((one) => record(own, one, many));
  }
  if (row.list !== undefined) {
    const [child, of] = row.list;
    const children = (value as readonly RecordValue[]).map((one) => record(child, one, of));
    return [{ name: own, attributes: {}, children, text: '' }];
  }
  const text = value as string;
  // A masked number that is sent back would overwrite the real one.
  if (row.as !== undefined && isNoValue(row.as, text)) return [];
  return [{ name: own, attributes: {}, children: [], text }];
}
