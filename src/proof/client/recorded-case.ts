/**
 * Converts recorded calls of a legacy program to calls of this client: numbers become UUIDs, XML becomes
 * records.
 */
import { pairsIn, parseMessage, sectionsIn } from '../rehearsal/golden-format.ts';
import type { Input, Method, RecordValue, Row, Rows, Value } from './client-tables.ts';
import { readXml, type XmlElement } from './plain-xml.ts';

/** A request to the service and its answer. */
export interface Exchange {
  readonly verb: string;
  readonly target: string;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

/** A program's call, and the answer on each way. */
export interface Case {
  readonly input: Input;
  readonly exchanges: Readonly<Record<'v3' | 'v2', readonly Exchange[]>>;
  /** Undefined if the call was refused. */
  readonly expected: Readonly<Record<'v3' | 'v2', { readonly reply: unknown } | undefined>>;
}

/** Returns the target of a `fetch`. */
export function addressOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}

/** Returns the UUID of a number; empty if it is not known. */
export type Uuids = (kind: string, number: string) => string;

/** Throws for a file that is not a recorded call of the method. */
export function readCase(text: string, method: Method): Case {
  const sections = sectionsIn(text);
  const part = (name: string): string => sections.get(name) ?? '';
  const uuids = uuidsIn(part('identifiers'));
  const reply = part('reply');
  const call = parseMessage(part('call'));
  return {
    input: inputOf(call.start.split(' ')[1] ?? '', call.body.toString('utf8'), method, uuids),
    exchanges: { v3: exchangesIn(sections, 'V3'), v2: exchangesIn(sections, 'V2') },
    expected: {
      v3: replyOf(messageOf(reply), method, uuids),
      v2: replyOf(messageOf(sections.get('reply from V2') ?? reply), method, uuids),
    },
  };
}

/** Converts a legacy call to one of this client. `target`: path and query; `body`: its XML, or empty. */
export function inputOf(target: string, body: string, method: Method, uuids: Uuids): Input {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const segments = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  return {
    path: placeholders(segments, method, uuids),
    query: parameters(searchParams, method),
    ...(body !== '' && { body: bodyIn(body, method, uuids) }),
  };
}

function uuidsIn(section: string): Uuids {
  const known = new Map(pairsIn(section).map(({ kind, number, uuid }) => [`${kind} ${number}`, uuid]));
  return (kind, number) => known.get(`${kind} ${Number(number)}`) ?? '';
}

function placeholders(segments: readonly string[], method: Method, uuids: Uuids): Record<string, string> {
  const patterns = method.legacy.map((pattern) => (pattern.split(' ')[1] ?? '').split('/'));
  const pattern = patterns.find(({ length }) => length === segments.length) ?? [];
  return Object.fromEntries(
    pattern.flatMap((part, at) => {
      const kind = part.startsWith('{') ? part.slice(1, -1) : '';
      const text = segments[at] ?? '';
      return kind === '' ? [] : [[kind, kind === 'number' ? text : uuids(kind, text)] as const];
    }),
  );
}

/** The parameters that the method has. */
function parameters(given: URLSearchParams, { query = [] }: Method): Record<string, string> {
  const known = new Map(query.map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    [...given].flatMap(([name, value]) => {
      const own = known.get(name.toLowerCase());
      return own === undefined ? [] : [[own, value] as const];
    }),
  );
}

function bodyIn(text: string, method: Method, uuids: Uuids): RecordValue {
  return givenIn(readXml(text), method.records[method.body?.of ?? ''] ?? {}, method, uuids);
}

/** Omits elements without a row, as the bridge does. */
function givenIn(element: XmlElement, rows: Rows, method: Method, uuids: Uuids): RecordValue {
  const given: Record<string, Value> = {};
  for (const [name, row] of Object.entries(rows)) {
    const names = [name, ...(row.also ?? [])].map((one) => one.toLowerCase());
    const children = element.children.filter((child) => names.includes(child.name.toLowerCase()));
    const value = givenValue(element, children, name, row, method, uuids);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

function givenValue(
  element: XmlElement,
  children: readonly XmlElement[],
  name: string,
  row: Row,
  method: Method,
  uuids: Uuids,
): Value | undefined {
  const [child] = children;
  const record = (one: XmlElement, of: string): RecordValue =>
    givenIn(one, method.records[of] ?? {}, method, uuids);
  const { many, list, one } = row;
  if (many !== undefined) return child && children.map((entry) => record(entry, many));
  if (list !== undefined) {
    const entries = child?.children.filter((entry) => entry.name.toLowerCase() === list[0].toLowerCase());
    return entries?.map((entry) => record(entry, list[1]));
  }
  if (one !== undefined) return child && record(child, one);
  const text = row.attribute === true ? element.attributes[name] : child?.text;
  return text === undefined || row.id === undefined ? text : uuids(row.id, text.trim());
}

const messageOf = (section: string): string => parseMessage(section).body.toString('utf8');

/** Converts a legacy reply to the form of this client; undefined if it was refused. */
export function replyOf(
  text: string,
  { reply, records }: Method,
  uuids: Uuids,
): { readonly reply: unknown } | undefined {
  const root = readXml(text);
  const child = (name: string): XmlElement | undefined => root.children.find((one) => one.name === name);
  if (child('Status')?.text !== 'OK') return undefined;
  const read = (element: XmlElement, of: string): RecordValue =>
    replyIn(element, records[of] ?? {}, records, uuids);
  switch (reply.form) {
    case 'status':
      return { reply: undefined };
    case 'id': {
      const text = child('ID')?.text.trim() ?? '';
      return { reply: reply.kind === 'number' ? text : uuids(reply.kind, text) };
    }
    case 'one': {
      const element = child(reply.element);
      return element && { reply: read(element, reply.of) };
    }
    case 'list': {
      const entries = child(reply.container)?.children ?? [];
      return { reply: entries.map((entry) => read(entry, reply.of)) };
    }
  }
}

function replyIn(element: XmlElement, rows: Rows, records: Method['records'], uuids: Uuids): RecordValue {
  const found: Record<string, Value> = {};
  for (const [name, row] of Object.entries(rows)) {
    const child = element.children.find((one) => one.name === name);
    if (child === undefined) continue;
    const read = (one: XmlElement, of: string): RecordValue =>
      replyIn(one, records[of] ?? {}, records, uuids);
    const { list } = row;
    if (row.one !== undefined) found[name] = read(child, row.one);
    else if (list !== undefined) found[name] = child.children.map((entry) => read(entry, list[1]));
    else found[name] = row.id === undefined ? child.text : uuids(row.id, child.text.trim());
  }
  return found;
}

function exchangesIn(sections: ReadonlyMap<string, string>, way: string): readonly Exchange[] {
  const names = [...sections.keys()].filter((name) => name.startsWith(`${way} request`));
  return names.map((name) => {
    const request = parseMessage(sections.get(name) ?? '');
    const answer = parseMessage(sections.get(name.replace('request', 'answer')) ?? '');
    const [verb = '', target = ''] = request.start.split(' ');
    return {
      ...{ verb, target, body: request.body.toString('utf8') },
      ...{ status: Number(answer.start.split(' ')[1]), answer: answer.body.toString('utf8') },
    };
  });
}
