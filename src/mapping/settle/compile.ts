/**
 * Compiles the row `settle` of a method: which read shows the outcome, and which elements of the record must
 * match the request.
 *
 * Every element that a message of the method may contain is accounted for: the record shows it under its own
 * name, under another one (`same`), or not at all (`besides`, or because it names the record that is read). A
 * forgotten element would let a record pass for the one that was created. A writing method without a row is a
 * fault.
 */
import { TEXT_NUMBER, type Method } from '../compile/model.ts';
import type { RecordRow, RecordTable } from '../compile/records.ts';
import type { Kind } from '../crosswalk/identifier.ts';
import type { Compared, Entries, Expected, Settle, SettleChanged, SettleMade, SettleRead } from './model.ts';
import { namesOf, readOf, rowAt, rowOf, type Found, type Scope } from './read.ts';
import type { SettleSource } from './schema.ts';

type ChangedSource = Extract<SettleSource, { read: string }>;
type ValueRow = RecordRow & { readonly holds: 'value' };

/** Returns undefined for a method that reads. */
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

/** A record that is addressed by a text may also have a number. */
function numberedIn(table: RecordTable): SettleMade['numbered'] {
  for (const element of ['ID', 'InternalID']) {
    const row = rowOf(table, element);
    if (row?.holds === 'value' && row.kind !== undefined) return { element, kind: row.kind };
  }
  return undefined;
}

function changed(source: ChangedSource, scope: Scope): Settle {
  const { blame, method } = scope;
  const { read, table, isSingle } = readOf(source.read, source, 'read', scope);
  const find = findOf(source, table, scope);
  const entries = source.entries === undefined ? undefined : entriesOf(source.entries, source, table, scope);
  const isNamed = isSingle || entries !== undefined;
  if (find === undefined && !isNamed) blame(['find'], 'a list needs an element that names the record');
  const besides = [source.besides, source.find, source.entries].flat().filter((name) => name !== undefined);
  const same = sameOfRecord(source, method);
  const compared = comparedOf({ ...source, same, besides }, read, table, scope);
  const is = expected(source.is, table, blame);
  const count = compared.length + is.length + (entries?.values.length ?? 0);
  if (count === 0) blame(['read'], 'nothing of the record is compared');
  return {
    way: 'changed',
    read,
    find,
    compared,
    besides: (source.besides ?? []).flatMap((name) => namesOf([name], method)),
    entries,
    is,
    isReply: isSingle && method.reply.form === 'one',
  };
}

function findOf(
  { find, same }: Pick<ChangedSource, 'find' | 'same'>,
  table: RecordTable,
  { method, blame }: Scope,
): SettleChanged['find'] {
  if (find === undefined) return undefined;
  const shown = same?.[find] ?? find;
  if (rowOf(table, shown) === undefined) blame(['find'], `the record has no ${shown}`);
  return { sent: namesOf([find], method), shown };
}

/** The part of `same` about elements of the record; the rest is about those of its entries. */
function sameOfRecord(
  { same = {}, entries }: Pick<ChangedSource, 'same' | 'entries'>,
  method: Method,
): Readonly<Record<string, string>> {
  const row = entries === undefined ? undefined : rowAt(entries, method);
  const inner = row?.holds === 'many' ? row.of.byLegacyName : undefined;
  return Object.fromEntries(Object.entries(same).filter(([name]) => inner?.has(name.toLowerCase()) !== true));
}

/** Identifiers become the keys of an entry; other elements become its values. */
function entriesOf(
  element: string,
  { same = {} }: Pick<ChangedSource, 'same'>,
  table: RecordTable,
  { method, blame }: Scope,
): Entries | undefined {
  const row = rowAt(element, method);
  if (row?.holds !== 'many') {
    blame(['entries'], `the message does not repeat ${element}`);
    return undefined;
  }
  const isKey = (one: RecordRow): boolean =>
    one.element === 'UUID' || (one.holds === 'value' && one.kind !== undefined);
  const compared = (rows: readonly RecordRow[]): readonly Compared[] =>
    rows.flatMap((one) => {
      const shown = rowOf(table, same[one.element] ?? one.element);
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

/** The kind of the number in a record, including a number that is text. */
function kindOf(table: RecordTable): Kind | undefined {
  const row = rowOf(table, 'ID');
  return row?.holds === 'value' ? (row.kind ?? TEXT_NUMBER) : undefined;
}

/** The service's message for a record that does not exist. */
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
    omitted: shown.row.unset === 'asGiven' ? 'unknown' : 'empty',
    isKeptIfEmpty: row.v2?.empty === 'omit',
    isChoice: row.v2?.via !== undefined,
  };
}

interface Shown {
  readonly names: readonly string[];
  readonly row: ValueRow;
  /** Its container has no place in V2. */
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
