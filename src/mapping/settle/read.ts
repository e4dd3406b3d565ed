/**
 * The read that shows the outcome of a write, as defined by the row `settle` of its method: the call with placeholders
 * for values of the write, its method in the mapping, and the place of the records in that method's reply.
 */
import type { KindTable, Method } from '../compile/model.ts';
import type { RecordRow, RecordTable } from '../compile/records.ts';
import type { Kind } from '../crosswalk/identifier.ts';
import type { Place, SettleRead } from './model.ts';
import type { SettleSource } from './schema.ts';

/** The context in which a row `settle` is compiled. */
export interface Scope {
  readonly method: Method;
  readonly methods: readonly Method[];
  readonly kinds: ReadonlyMap<Kind, KindTable>;
  readonly blame: (path: readonly string[], rule: string) => void;
}

/** A row that compares a record with the request. */
export type Found = Extract<SettleSource, { list: string } | { read: string }>;

const EMPTY: RecordTable = { name: '', rows: [], inTransition: [], byLegacyName: new Map(), kept: undefined };

type Reading = Partial<Pick<Found, 'query' | 'days' | 'at'>>;

/** The read, the table of its records, and whether there is only one record. */
export function readOf(
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
      read: { ...read, at: [...shown.at, inner.element, inner.child], of: inner.of, within: shown.table },
      table: inner.of,
      isSingle: false,
    };
  if (at !== undefined) scope.blame(['at'], `${at} is no list of the record`);
  const { table, isSingle } = shown;
  return { read: { ...read, at: shown.at, of: table, within: undefined }, table, isSingle };
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

/** Where the records are in the reply of a read. */
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

/** Rejoins `{body.Client/ID}`, which was split at its slash. */
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

/** The row of an element of a record. */
export const rowOf = (table: RecordTable, name: string | undefined): RecordRow | undefined =>
  table.byLegacyName.get((name ?? '').toLowerCase());

/** The row of an element of the message, or of a nested one. */
export function rowAt(path: string, { body }: Method): RecordRow | undefined {
  const [first, second] = path.split('/');
  const row = rowOf(body?.of ?? EMPTY, first);
  return second === undefined ? row : row?.holds === 'one' ? rowOf(row.of, second) : undefined;
}

/** The names under which an element may be sent, in lower case. */
export function namesOf(path: readonly string[], method: Method): readonly string[] {
  const text = path.join('/').toLowerCase();
  const also = path.length === 1 ? (rowAt(text, method)?.also ?? []) : [];
  return [text, ...also.map((name) => name.toLowerCase())];
}
