/**
 * How each element of a V1 record is found in V2's JSON, and how it is written: by its key, by a table of values, by an
 * identifier, or from values kept from V1 before the move. Compiled once for each kind of record, run for each record
 * of a list.
 */
import { fieldsOf, type Field } from '../../lib/xml/writer.ts';
import { formatOf, type Format } from '../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import {
  blankAt,
  firstOf,
  itself,
  tablesIn,
  walkOf,
  writtenPath,
  type Path,
  type Walk,
} from '../../mapping/compile/path.ts';
import type { KeptAs, RowTranslation } from '../../mapping/compile/records.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import { shapeOf } from '../forward/reply.ts';
import { isKept, keptFields, keptText, tableWithout, type Told } from './kept/kept-records.ts';

/** How the value of one row is found in V2's JSON; compiled once, because a list has 100,000 records. */
export interface Cell {
  /** How the value is used; `nothing`: V2 has no place for it. */
  readonly holds: 'kept' | 'nothing' | 'text' | 'formatted' | 'link' | 'identifier' | 'one' | 'list';
  /** The row's name, for messages. */
  readonly name: string;
  /** The written form. */
  readonly field: Field;
  /** A record or a list, which is written with its tags. */
  readonly isNested: boolean;
  /** Finding its value may require a request: for a number, a look-up, or kept values. */
  readonly asks: boolean;
  /** The identifier of the record itself, or a list of records that belong to this one alone. */
  readonly isOwn: boolean;
  /**
   * Leads to where `walk` begins; shared by all cells of the record that begin there, so that it is followed once for
   * them.
   */
  readonly from: Walk;
  /** Leads to the first place that has a value. */
  readonly walk: Walk;
  /** Lead to all places; in groups, the first group with a value counts. */
  readonly walks: readonly Walk[];
  /** Number of paths that make up one value, for a format that takes several; otherwise 0. */
  readonly group: number;
  readonly format: Format;
  /** Legacy words for V2's, in lower case; none: the text is used unchanged. */
  readonly words: ReadonlyMap<string, string> | undefined;
  /** The value used if V2 has none. */
  readonly absent: string | undefined;
  readonly kind: string;
  /** The cells of the nested record, or of the records in the list. */
  readonly of: Cells;
  /** A list without entries is left out. */
  readonly omitsEmpty: boolean;
  /** The text for a list that V2 does not return. */
  readonly none: string;
  /** Conditions on the record, if the row is only for some records; `is` in lower case. */
  readonly conditions: readonly { readonly walk: Walk; readonly is: readonly string[] }[];
  readonly detailedOnly: boolean;
  /** The cell has conditions, or is `detailedOnly`. */
  readonly isConditional: boolean;
  /** For `kept`: V1's value from before the move, and V2's, which comes first if V1's only fills a gap. */
  readonly kept: { readonly told: Told; readonly isGap: boolean; readonly v2: Cell } | undefined;
}

/** The cells of a record, in the order of its rows. A record may contain itself. */
export interface Cells {
  readonly cells: readonly Cell[];
  /** Lead to the identifiers without which a record is invalid. */
  readonly keys: readonly Walk[];
  /** The record has parts without an identifier, which are found by its own. */
  readonly hasParts: boolean;
}

type Costly = Pick<V2Row, 'costly' | 'lookups'>;

/** `keptAs`: which of V1's values from before the move are available. */
export function cellsOf(table: RecordTable, costly: Costly, keptAs: readonly KeptAs[] = []): Cells {
  const fields = fieldsOf(shapeOf(table, new Map(), (row) => isUncertain(row, costly.costly)));
  return cellsWith(table, fields, { costly, keptAs, known: new Map() });
}

interface Compiling {
  readonly costly: Costly;
  readonly keptAs: readonly KeptAs[];
  /** The tables already begun. */
  readonly known: Map<RecordTable, Cells>;
}

function cellsWith(table: RecordTable, fields: readonly Field[], compiling: Compiling): Cells {
  const { costly, keptAs, known } = compiling;
  const found = known.get(table);
  if (found !== undefined) return found;
  const cells: Cell[] = [];
  const made = { cells, keys: keysOf(table), hasParts: table.rows.some(isOfParts) };
  known.set(table, made);
  const kept = keptAs.length > 0 ? keptFields(table) : undefined;
  const places = new Map<string, Walk>();
  for (const [at, field] of fields.entries()) {
    const row = table.rows[at];
    if (row === undefined) break;
    const isNested = row.holds === 'one' || row.holds === 'list';
    const of = isNested ? cellsWith(row.of, field.of, compiling) : NONE;
    const without = tableWithout(row, table, keptAs);
    const place = { name: `${table.name}/${row.element}`, field, of };
    cells.push(
      kept && isKept(row, table, keptAs)
        ? keptCell(cellOf(row, place, costly, without), keptText(row, table, kept), row.isGap)
        : cellOf(row, place, costly, without, places),
    );
  }
  return made;
}

const isOfParts = (row: RecordRow): boolean => row.holds === 'list' && row.of.kept?.by === 'content';

type Place = Pick<Cell, 'name' | 'field' | 'of'>;

/** `without`: a table that does not have the value; `shared`: the common beginnings of the record's cells so far. */
function cellOf(
  row: RecordRow,
  place: Place,
  costly: Costly,
  without?: string,
  shared?: Map<string, Walk>,
): Cell {
  const translation = row.v2 && usable(row.v2, costly, without);
  const { paths = [], take, fromV2, absent, conditions = [], detailedOnly = false } = translation ?? {};
  const format = formatOf(row.holds === 'value' ? row.format : 'text');
  const walks = paths.map((path) => walkOf(path));
  const { field } = place;
  const looksUp = [...paths, ...conditions.map(({ path }) => path)].some((path) => tablesIn(path).length > 0);
  const begun = translation && shared && beginning(translation, shared);
  return {
    name: place.name,
    field,
    isNested: place.of !== NONE,
    of: place.of,
    holds: translation === undefined ? 'nothing' : holdsOf(row, translation),
    asks: row.holds !== 'value' || row.kind !== undefined || looksUp,
    isOwn: row.holds === 'list' ? row.isOwn : isOwnKey(row),
    from: begun?.from ?? itself,
    walk:
      begun?.walk ??
      (translation?.filled === true ? firstFilled : firstOf)(
        isUncertain(row, costly.costly)
          ? [...walks, ...paths.flatMap((path) => toldAt(path, costly))]
          : walks,
      ),
    walks,
    group: take === 'all' ? (format.group ?? paths.length) : 0,
    format,
    words: fromV2 === undefined || fromV2.size === 0 ? undefined : fromV2,
    absent,
    kind: (row.holds === 'value' ? row.kind : undefined) ?? '',
    omitsEmpty: row.holds === 'list' && row.unset === 'omit',
    none: row.holds === 'list' && row.unset === 'empty' && detailedOnly ? field.empty : field.absent,
    conditions: conditions.map(({ path, is }) => ({ walk: walkOf(path), is })),
    detailedOnly,
    isConditional: detailedOnly || conditions.length > 0,
    kept: undefined,
  };
}

/** Reads the first of several paths that has a value; an empty text only if no path has another. */
function firstFilled(walks: readonly Walk[]): Walk {
  const filled = firstOf(
    walks.map((walk) => (value, find) => {
      const found = walk(value, find);
      return found === '' ? undefined : found;
    }),
  );
  const any = firstOf(walks);
  return (value, find) => filled(value, find) ?? any(value, find);
}

/** The part of its path that other cells share, and the last step; undefined: the path cannot be split this way. */
function beginning(row: RowTranslation, shared: Map<string, Walk>): Pick<Cell, 'from' | 'walk'> | undefined {
  const [path = [], ...others] = row.paths;
  const place = path.slice(0, -1);
  const last = path.slice(-1);
  const isOne = others.length === 0 && row.take === 'first' && row.conditions.length === 0;
  const isWithin = place.every(({ step }) => step === 'key' || step === 'which');
  // `[]` and `[*key=value]` return a list even if V2 left the place out.
  const isValue = last.every(({ step }) => step === 'key' || step === 'which' || step === 'place');
  if (!isOne || place.length === 0 || !isWithin || !isValue) return undefined;
  const name = writtenPath(place);
  const from = shared.get(name) ?? walkOf(place);
  shared.set(name, from);
  return { from, walk: walkOf(last) };
}

const keptCell = (v2: Cell, told: Told, isGap: boolean): Cell => ({
  ...v2,
  holds: 'kept',
  asks: true,
  // V1's value comes before the default.
  kept: { told, isGap, v2: isGap ? { ...v2, absent: undefined } : v2 },
});

/**
 * Whether some answers omit the value, so that finding it costs a call. Without that call its element is left out too:
 * written back, an empty one would clear the service's value.
 */
export const isUncertain = (row: RecordRow, costly: ReadonlySet<string>): boolean =>
  row.holds === 'value' &&
  row.format === 'text' &&
  (row.v2?.paths ?? []).some((path) => tablesIn(path).some((table) => costly.has(table)));

/** Yields an empty text if the record that would have the value was looked up. */
function toldAt(path: Path, { costly }: Costly): readonly Walk[] {
  if (!tablesIn(path).some((table) => costly.has(table))) return [];
  return [blankAt(path.slice(0, -1))];
}

const NONE: Cells = { cells: [], keys: [], hasParts: false };

function holdsOf(row: RecordRow, { take }: RowTranslation): Cell['holds'] {
  if (row.holds === 'many') return 'nothing'; // requests only
  if (row.holds !== 'value') return row.holds;
  if (row.kind !== undefined) return 'identifier';
  if (row.format === 'documentLink') return 'link';
  return row.format === 'text' && take === 'first' ? 'text' : 'formatted';
}

/**
 * The usable paths. One through a costly table ends the list: later ones would be tried while its record is still
 * awaited.
 */
function usable(translation: RowTranslation, { costly, lookups }: Costly, without = ''): RowTranslation {
  if (translation.take === 'all') return translation;
  const costs = (path: Path): boolean => tablesIn(path).some((table) => costly.has(table));
  const open = translation.paths.filter((path) =>
    tablesIn(path).every((table) => table !== without && (!costly.has(table) || lookups.has(table))),
  );
  const last = open.findIndex(costs);
  return { ...translation, paths: last < 0 ? open : open.slice(0, last + 1) };
}

/**
 * Whether the row is the identifier of the record itself. For jobs this is another element: their ID is the number that
 * addresses them.
 */
export const isOwnKey = ({ v2 }: RecordRow): boolean =>
  v2?.paths.some((path) => path.length === 1 && path[0]?.step === 'key' && path[0].name === 'uuid') === true;

/** Only identifiers in the record itself, and in every one: no look-up on the way, no condition. */
function keysOf(table: RecordTable): Cells['keys'] {
  return table.rows
    .filter(
      (row) =>
        row.holds === 'value' && row.kind !== undefined && row.v2?.conditions.length === 0 && isOwnKey(row),
    )
    .map(({ v2 }) => v2?.paths ?? [])
    .filter((paths) => paths.every((path) => tablesIn(path).length === 0))
    .map((paths) => firstOf(paths.map((path) => walkOf(path))));
}
