/** Finds the rows of the mapping that read an element or key, and the effect on a caller if it changes. */
import type { FormatName } from '../../../mapping/formats.ts';
import type { Mapping, Method, RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { keysIn, type Path } from '../../../mapping/compile/path.ts';
import type { Lookup, V2Row } from '../../../mapping/compile/v2/v2-model.ts';
import { specimens, unreadTexts, unreadValues } from '../../../mapping/value-types.ts';
import type { Departure } from './learning/departures.ts';
import type { DriftUpstream } from './learning/observation.ts';
import { ANY, segmentsOf } from './learning/operation.ts';
import { keysAt } from './model.ts';

/** A row with the path of its element in the legacy reply. */
interface ConcernedRow {
  readonly row: RecordRow;
  readonly path: string;
}

/** A reader of the element, by name; `format`: undefined if it is not a single value. */
export interface Concerned {
  readonly path: string;
  readonly format: FormatName | undefined;
}

/** The place of a change. */
export interface SeenAt {
  readonly upstream: DriftUpstream;
  readonly method: string;
  readonly operation: string;
  readonly place: string;
}

const SELECTION = '(selection)';
/** Deepest nesting: a record may contain itself. */
const DEEPEST = 5;

/**
 * The rows that read it (`client.get Client/Email`), and the conditions that select records by it (`client.list
 * (selection)`).
 */
export function rowsConcerned(mapping: Mapping, seen: SeenAt): readonly Concerned[] {
  const method = mapping.methods.find(({ id }) => id === seen.method);
  if (method === undefined || !('of' in method.reply)) return [];
  const found = seen.upstream === 'v2' ? rowsOfKey(mapping, method, seen) : rowsOfElement(method, seen);
  return [
    ...found.map(({ row, path }) => ({
      path: `${method.id} ${path}`,
      format: row.holds === 'value' ? row.format : undefined,
    })),
    ...(seen.upstream === 'v2' ? selectionBy(method, seen) : []),
  ];
}

/** Conditions on the records of a list. */
function selectionBy({ id, v2 }: Method, { operation, place }: SeenAt): readonly Concerned[] {
  const [path = ''] = operation.split('?', 1);
  if (v2?.way !== 'steps' || !isReplied(v2, path)) return [];
  const keys = keysAt(place);
  return v2.reply.where.flatMap(({ of, paths, format }) =>
    paths.some((one) => isWithin(keys, [...prefixOf(v2), ...keysIn(of ?? []), ...keysIn(stemOf(one))]))
      ? [{ path: `${id} ${SELECTION}`, format }]
      : [],
  );
}

type RecordReply = Extract<Method['reply'], { readonly of: RecordTable }>;

function rowsOfElement({ reply }: Method, { upstream, place }: SeenAt): readonly ConcernedRow[] {
  const { element, of } = reply as RecordReply;
  const names = place.split('/');
  const start = names.indexOf(element);
  if (start < 0) return [];
  let rows: readonly ConcernedRow[] = [];
  let [table, at]: [RecordTable | undefined, string] = [of, element];
  for (const name of names.slice(start + 1)) {
    const [last] = rows;
    // In a row that holds a list, the name of its entries precedes the element.
    if (last?.row.holds === 'list' && name === last.row.child) continue;
    const row: RecordRow | undefined = table?.rows.find((one) => namesOf(one, upstream).includes(name));
    if (row === undefined) return [];
    at = `${at}/${row.element}`;
    rows = [{ row, path: at }];
    table = row.holds === 'value' ? undefined : row.of;
  }
  return rows;
}

const namesOf = (row: RecordRow, upstream: DriftUpstream): readonly string[] =>
  upstream === 'v3' ? [row.v3, ...row.also] : [row.element, ...row.also];

function rowsOfKey({ v2: tables }: Mapping, { v2, reply }: Method, seen: SeenAt): readonly ConcernedRow[] {
  if (v2?.way !== 'steps') return [];
  const [operation = ''] = seen.operation.split('?', 1);
  const keys = keysAt(seen.place);
  const { element, of } = reply as RecordReply;
  const named = new Set(
    Array.from(tables.lookups.values())
      .filter((table) => isOf(table, operation))
      .map(({ name }) => name),
  );
  const isWanted = (path: Path): boolean =>
    (isReplied(v2, operation) && isWithin(keys, [...prefixOf(v2), ...keysIn(stemOf(path))])) ||
    isLookedUp(path, named, keys);
  return rowsAmong(of, element, [], isWanted, DEEPEST);
}

const isReplied = ({ reply: { from } }: V2Row, operation: string): boolean =>
  segmentsOf(from.segments).join('/') === operation;

/** The path to the records of the reply within an answer. */
const prefixOf = ({ reply: { from, at } }: V2Row): readonly string[] => [
  ...keysIn(from.within ?? []),
  ...keysIn(at),
];

const isOf = (table: Lookup, operation: string): boolean =>
  'segments' in table && table.segments.map((one) => (one.includes('{') ? ANY : one)).join('/') === operation;

/** The path up to the first look-up. */
function stemOf(path: Path): Path {
  const end = path.findIndex(({ step }) => step === 'lookup');
  return end < 0 ? path : path.slice(0, end);
}

/** Whether a path through one of the tables reads the keys of its records. */
const isLookedUp = (path: Path, named: ReadonlySet<string>, keys: readonly string[]): boolean =>
  path.some(
    (step, index) =>
      step.step === 'lookup' &&
      named.has(step.table) &&
      isWithin(keys, keysIn(stemOf(path.slice(index + 1)))),
  );

/** Whether the path of a row leads to the keys, or through them. */
const isWithin = (keys: readonly string[], path: readonly string[]): boolean =>
  keys.length > 0 && keys.every((key, index) => path[index] === key);

function rowsAmong(
  table: RecordTable,
  at: string,
  above: Path,
  isWanted: (path: Path) => boolean,
  left: number,
): readonly ConcernedRow[] {
  return table.rows.flatMap((row) => {
    const path = `${at}/${row.element}`;
    const places = (row.v2?.paths ?? []).map((one) => [...above, ...one]);
    if (places.some(isWanted)) return [{ row, path }];
    if (row.holds === 'value' || left === 0) return [];
    return places.flatMap((place) => rowsAmong(row.of, path, place, isWanted, left - 1));
  });
}

/** The effect on callers. */
export function effectOf(
  upstream: DriftUpstream,
  { kind, to }: Pick<Departure, 'kind' | 'to'>,
  rows: readonly Concerned[],
): string {
  const names = [...new Set(rows.map(({ path }) => path.slice(path.indexOf(' ') + 1)))]
    .slice(0, 3)
    .join(', ');
  if (upstream === 'v1') return effectOfV1[kind];
  if (rows.length === 0)
    return 'Nothing: no row of the mapping reads it, and what no row reads is left out of the reply, or passed on as it is.';
  switch (kind) {
    case 'appeared':
      return `${names} may have a value now that was missing before.`;
    case 'disappeared':
    case 'emptied':
      return `${names} would be missing or empty in replies.`;
    case 'optional':
      return `${names} would be missing or empty in the replies for some records.`;
    case 'required':
      return `Nothing: ${names} has a value more often.`;
    case 'type':
      return typeEffect(upstream, to, rows, names);
  }
}

const effectOfV1: Readonly<Record<Departure['kind'], string>> = {
  appeared: 'Programs get an element that they do not know: V1’s replies are passed on unchanged.',
  disappeared: 'Programs no longer get it: V1’s replies are passed on unchanged.',
  emptied: 'Programs get it empty: V1’s replies are passed on unchanged.',
  optional: 'Programs miss it in some records: V1’s replies are passed on unchanged.',
  required: 'Programs get it in every record: V1’s replies are passed on unchanged.',
  type: 'Programs get the new form: V1’s replies are passed on unchanged.',
};

function typeEffect(upstream: DriftUpstream, to: string, rows: readonly Concerned[], names: string): string {
  if (to === 'nothing') return `${names} would be missing or empty in the replies for some records.`;
  const specimen = specimens.get(to);
  const unread = rows.filter(
    ({ format }) =>
      format !== undefined &&
      (upstream === 'v2'
        ? unreadValues(format, [specimen]).length > 0
        : typeof specimen === 'string' && unreadTexts(format, [specimen]).length > 0),
  );
  if (unread.length === 0) return `The formats of ${names} can read it.`;
  const [{ path, format } = { path: '', format: '' }] = unread;
  return `${path.slice(path.indexOf(' ') + 1)} would be missing or wrong in replies: its format ${format} cannot read it.`;
}
