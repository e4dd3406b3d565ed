/**
 * Compiles the row `settle` of a method: which read shows what came of it, and which element of the record has to say
 * what was sent.
 *
 * Every element that a message of the method may hold is accounted for: the record shows it under its own name, under
 * another one (`same`), or not at all (`besides`, or because it names the record that is read). An element nobody
 * thought of would let a record pass for the one that was made. A mutating method without a row is a fault.
 */
import type { KindTable, Method } from '../compile/model.ts';
import { TEXT_NUMBER } from '../compile/model.ts';
import type { RecordRow, RecordTable } from '../compile/records.ts';
import type { Kind } from '../crosswalk/identifier.ts';
import type {
  Compared,
  Entries,
  Expected,
  Place,
  Settle,
  SettleChanged,
  SettleMade,
  SettleRead,
} from './model.ts';
import type { SettleSource } from './schema.ts';

interface Scope {
  readonly method: Method;
  readonly methods: readonly Method[];
  readonly kinds: ReadonlyMap<Kind, KindTable>;
  readonly blame: (path: readonly string[], rule: string) => void;
}

type Found = Extract<SettleSource, { list: string } | { read: string }>;
type ValueRow = RecordRow & { readonly holds: 'value' };

const EMPTY: RecordTable = { name: '', rows: [], byLegacyName: new Map(), kept: undefined };

/** Undefined for a method that reads. */
export function compileSettle(source: SettleSource | undefined, scope: Scope): Settle | undefined {
  const { method, blame } = scope;
  const isRead = method.v3.verbs.join() === 'GET';
  if (source === undefined) {
    if (!isRead) blame([], 'it is not said how an unknown outcome is looked up: a read, or none and why');
    return undefined;
  }
  if (isRead) {
    blame([], 'a read has no outcome to settle');
    return undefined;
  }
  if ('none' in source) return { way: 'none', why: source.none };
  if ('list' in source) return made(source, scope);
  if ('read' in source) return changed(source, scope);
  const { read, table, isSingle } = readOf(source.gone, {}, 'gone', scope);
  return {
    way: 'gone',
    read,
    isAll: !isSingle,
    words: wordsOf(read, scope),
    is: expected(source.is, table, blame),
  };
}

function made(source: Extract<SettleSource, { list: string }>, scope: Scope): Settle {
  const { read: list, table } = readOf(source.list, source, 'list', scope);
  const compared = comparedOf(source, list, table, scope);
  const by = source.by.flatMap((name) => {
    const one = compared.find(({ sent }) => sent.includes(name.toLowerCase()));
    if (one === undefined) scope.blame(['by'], `${name} is not compared`);
    return one ?? [];
  });
  const record = source.record === undefined ? undefined : readOf(source.record, {}, 'record', scope).read;
  const isSince = list.query.some(([, template]) => template === '{since}');
  return {
    way: 'made',
    list,
    isSince,
    by,
    compared,
    kind: kindOf(table),
    numbered: numberedIn(table),
    record,
  };
}

/** A record that goes by a text may have a number beside it. */
function numberedIn(table: RecordTable): SettleMade['numbered'] {
  for (const element of ['ID', 'InternalID']) {
    const row = rowOf(table, element);
    if (row?.holds === 'value' && row.kind !== undefined) return { element, kind: row.kind };
  }
  return undefined;
}

function changed(source: Extract<SettleSource, { read: string }>, scope: Scope): Settle {
  const { blame, method } = scope;
  const { read, table, isSingle } = readOf(source.read, source, 'read', scope);
  const find = findOf(source.find, table, scope);
  const entries = source.entries === undefined ? undefined : entriesOf(source.entries, table, scope);
  const isNamed = isSingle || entries !== undefined;
  if (find === undefined && !isNamed) blame(['find'], 'a list needs an element that names the record');
  const besides = [source.besides, source.find, source.entries].flat().filter((name) => name !== undefined);
  const compared = comparedOf({ ...source, besides }, read, table, scope);
  const is = expected(source.is, table, blame);
  const count = compared.length + is.length + (entries?.values.length ?? 0);
  if (count === 0) blame(['read'], 'nothing of the record is compared');
  return {
    way: 'changed',
    read,
    find,
    compared,
    entries,
    is,
    isReply: isSingle && method.reply.form === 'one',
  };
}

function findOf(
  name: string | undefined,
  table: RecordTable,
  { method, blame }: Scope,
): SettleChanged['find'] {
  if (name === undefined) return undefined;
  if (rowOf(table, name) === undefined) blame(['find'], `the record has no ${name}`);
  return { sent: namesOf([name], method), shown: name };
}

/** Keys are identifiers; everything else is a value. */
function entriesOf(element: string, table: RecordTable, { method, blame }: Scope): Entries | undefined {
  const row = rowAt(element, method);
  if (row?.holds !== 'many') {
    blame(['entries'], `the message does not repeat ${element}`);
    return undefined;
  }
  const isKey = (one: RecordRow): boolean =>
    one.element === 'UUID' || (one.holds === 'value' && one.kind !== undefined);
  const compared = (rows: readonly RecordRow[]): readonly Compared[] =>
    rows.flatMap((one) => {
      const shown = rowOf(table, one.element);
      if (one.holds === 'value' && shown?.holds === 'value')
        return {
          ...comparedRow(one, { names: [shown.element], row: shown, isLost: false, isOwn: false }, method),
          sent: [one.element.toLowerCase()],
        };
      blame(['entries'], `the list does not show ${one.element}`);
      return [];
    });
  return {
    sent: element.toLowerCase(),
    keys: compared(row.of.rows.filter(isKey)),
    values: compared(row.of.rows.filter((one) => !isKey(one))),
  };
}

/** The kind of the number in a record; a number that is text has one, too. */
function kindOf(table: RecordTable): Kind | undefined {
  const row = rowOf(table, 'ID');
  return row?.holds === 'value' ? (row.kind ?? TEXT_NUMBER) : undefined;
}

/** What the service says of a record that is not there. */
function wordsOf({ segments }: SettleRead, { method, kinds }: Scope): readonly string[] {
  const places = segments.filter((segment) => typeof segment !== 'string');
  const named = places.flatMap((place) => {
    if (place.from === 'path') return place.kind;
    if (place.from === 'made') return [];
    const row = rowAt(place.names[0] ?? '', method);
    return row?.holds === 'value' ? (row.kind ?? []) : [];
  });
  const errors = named.flatMap((kind) => kinds.get(kind)?.error ?? []);
  const family = segments[0];
  const record = typeof family === 'string' ? family.replace('.api', '') : '';
  return [...errors, `Invalid ${record} identifier`];
}

type Reading = Partial<Pick<Found, 'query' | 'days' | 'at'>>;

function readOf(
  call: string,
  { query = {}, days = [], at }: Reading,
  place: string,
  scope: Scope,
): { readonly read: SettleRead; readonly table: RecordTable; readonly isSingle: boolean } {
  const segments = segmentsOf(call, place, scope);
  const target = scope.methods.find((candidate) => isCallOf(candidate, segments));
  if (target === undefined) scope.blame([place], `${call} is no read of the mapping`);
  else checkQuery(query, target, scope);
  const shown = shownBy(target);
  const inner = at === undefined ? undefined : rowOf(shown.table, at);
  const read = {
    segments,
    query: Object.entries(query),
    days: days.map((name) => namesOf([name], scope.method)),
  };
  if (inner?.holds === 'list')
    return {
      read: { ...read, at: [...shown.at, inner.element, inner.child] },
      table: inner.of,
      isSingle: false,
    };
  if (at !== undefined) scope.blame(['at'], `${at} is no list of the record`);
  return { read: { ...read, at: shown.at }, table: shown.table, isSingle: shown.isSingle };
}

const segmentsOf = (call: string, place: string, scope: Scope): SettleRead['segments'] =>
  call
    .slice('GET '.length)
    .split('/')
    .reduce<string[]>(joinPlaces, [])
    .map((segment) => (segment.startsWith('{') ? placeOf(segment.slice(1, -1), place, scope) : segment));

function checkQuery(query: Readonly<Record<string, string>>, target: Method, { method, blame }: Scope): void {
  for (const [name, template] of Object.entries(query)) {
    if (!target.query.has(name.toLowerCase())) blame(['query'], `${name} is not a parameter of ${target.id}`);
    const [, element] = /^\{day\.(\w+)\}$/.exec(template) ?? [];
    if (element !== undefined && rowAt(element, method) === undefined)
      blame(['query'], `the message has no ${element}`);
  }
}

/** Where in the reply of a read its records stand. */
function shownBy(target: Method | undefined): {
  readonly table: RecordTable;
  readonly at: readonly string[];
  readonly isSingle: boolean;
} {
  const reply = target?.reply;
  if (reply?.form === 'list')
    return { table: reply.of, at: [reply.container, reply.element], isSingle: false };
  return reply?.form === 'one'
    ? { table: reply.of, at: [reply.element], isSingle: true }
    : { table: EMPTY, at: [], isSingle: false };
}

/** `{body.Client/ID}` was parted at its slash. */
function joinPlaces(parts: string[], part: string): string[] {
  const last = parts.at(-1);
  if (last?.startsWith('{') === true && !last.endsWith('}'))
    return [...parts.slice(0, -1), `${last}/${part}`];
  return [...parts, part];
}

function placeOf(text: string, at: string, { method, blame }: Scope): Place {
  if (text === 'made') return { from: 'made' };
  const name = text.slice(text.indexOf('.') + 1);
  if (text.startsWith('path.')) {
    const isThere = method.legacy.some(({ segments }) =>
      segments.some((one) => 'kind' in one && one.kind === name),
    );
    if (!isThere) blame([at], `the path of the method has no {${name}}`);
    return { from: 'path', kind: name };
  }
  if (rowAt(name, method) === undefined) blame([at], `the message has no ${name}`);
  return { from: 'body', names: namesOf(name.split('/'), method) };
}

const isCallOf = ({ legacy, v3 }: Method, segments: SettleRead['segments']): boolean =>
  v3.verbs.join() === 'GET' &&
  legacy.some(
    (pattern) =>
      pattern.segments.length === segments.length &&
      pattern.segments.every((segment, index) => {
        const given = segments[index];
        return 'literal' in segment ? segment.literal === given : typeof given !== 'string';
      }),
  );

function comparedOf(
  { same = {}, besides = [], fills = [] }: Pick<Found, 'same' | 'besides' | 'fills'>,
  read: SettleRead,
  table: RecordTable,
  { method, blame }: Scope,
): readonly Compared[] {
  const named = new Set(
    read.segments.flatMap((segment) =>
      typeof segment !== 'string' && segment.from === 'body' ? segment.names : [],
    ),
  );
  const rows = method.body?.of.rows ?? [];
  for (const name of [...besides, ...fills, ...Object.keys(same)])
    if (rowAt(name, method) === undefined) blame(['same'], `the message has no ${name}`);
  return rows.flatMap((row) => {
    if (besides.includes(row.element) || named.has(row.element.toLowerCase())) return [];
    if (row.holds === 'one' && [...named].some((name) => name.startsWith(`${row.element.toLowerCase()}/`)))
      return [];
    const way = same[row.element] ?? row.element;
    const shown = shownOf(way, table);
    if (row.holds !== 'value' || shown === undefined) {
      blame(['same'], `${row.element} is neither compared nor among besides`);
      return [];
    }
    const isOwn = way === row.element && !fills.includes(row.element);
    return [comparedRow(row, { ...shown, isOwn }, method)];
  });
}

function comparedRow(row: ValueRow, shown: Shown & { readonly isOwn: boolean }, method: Method): Compared {
  const isText = [row, shown.row].every(({ format, kind }) => format === 'text' && kind === undefined);
  return {
    isOwn: shown.isOwn && isText,
    sent: namesOf([row.element], method),
    shown: shown.names,
    format: row.format === 'text' ? shown.row.format : row.format,
    isIdentifier: row.kind !== undefined || shown.row.kind !== undefined,
    isLostOnV2: [row, shown.row].some(({ v2 }) => v2 === undefined || v2.paths.length === 0) || shown.isLost,
  };
}

interface Shown {
  readonly names: readonly string[];
  readonly row: ValueRow;
  /** What holds it has no place on V2. */
  readonly isLost: boolean;
}

function shownOf(way: string, table: RecordTable): Shown | undefined {
  const [first = '', second] = way.split('/');
  const outer = rowOf(table, first);
  if (outer?.holds === 'one' && second !== undefined) {
    const inner = rowOf(outer.of, second);
    const isLost = outer.v2 === undefined || outer.v2.paths.length === 0;
    return inner?.holds === 'value'
      ? { names: [outer.element, inner.element], row: inner, isLost }
      : undefined;
  }
  return outer?.holds === 'value' && second === undefined
    ? { names: [outer.element], row: outer, isLost: false }
    : undefined;
}

function expected(
  is: Readonly<Record<string, string>> | undefined,
  table: RecordTable,
  blame: Scope['blame'],
): readonly Expected[] {
  return Object.entries(is ?? {}).map(([shown, text]) => {
    if (rowOf(table, shown) === undefined) blame(['is'], `the record has no ${shown}`);
    return { shown, text };
  });
}

const rowOf = (table: RecordTable, name: string | undefined): RecordRow | undefined =>
  table.byLegacyName.get((name ?? '').toLowerCase());

/** The row of an element of the message, or of one inside another. */
function rowAt(path: string, { body }: Method): RecordRow | undefined {
  const [first, second] = path.split('/');
  const row = rowOf(body?.of ?? EMPTY, first);
  return second === undefined ? row : row?.holds === 'one' ? rowOf(row.of, second) : undefined;
}

/** What an element may be sent as, in lower case. */
function namesOf(path: readonly string[], method: Method): readonly string[] {
  const text = path.join('/').toLowerCase();
  const also = path.length === 1 ? (rowAt(text, method)?.also ?? []) : [];
  return [text, ...also.map((name) => name.toLowerCase())];
}
