/** Reads records of V2 under the legacy names of their elements, in the legacy form. */
import { formatOf } from '../../../../../mapping/formats.ts';
import {
  entries,
  isObject,
  tablesIn,
  textOf,
  valueAt,
  type Find,
} from '../../../../../mapping/compile/path.ts';
import type {
  Method,
  RecordValue,
  Row,
  RowOnV2,
  Rows,
  Shared,
  Value,
} from '../../../../../proof/client/client-tables.ts';
import { pathOf } from './v2-path.ts';

/** The context for reading the records of a reply. */
export interface Reading {
  readonly method: Method;
  readonly shared: Shared;
  readonly detailed: boolean;
}

/** Reads one record. `find` fetches nothing, but notes what is missing (`Lookups`). */
export function readRecord(json: unknown, rows: Rows, find: Find, reading: Reading): RecordValue {
  const found: Record<string, Value> = {};
  for (const [name, row] of Object.entries(rows)) {
    const value = valueOf(json, row, find, reading);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function valueOf(json: unknown, row: Row, find: Find, reading: Reading): Value | undefined {
  const { v2 } = row;
  const isMeant = v2 !== undefined && (v2.detailed !== true || reading.detailed) && isSo(v2, json, find);
  if (row.one !== undefined) return isMeant ? oneOf(json, row.one, v2, find, reading) : undefined;
  if (row.list !== undefined) return listOf(json, row, isMeant ? v2 : undefined, find, reading);
  if (row.many !== undefined) return undefined;
  const text = isMeant ? textOn(json, row, v2, find, reading) : undefined;
  if (text !== undefined && (text !== '' || row.unset !== 'omit')) return text;
  const isLeftOut = row.unset !== undefined || (isMeant && isUncertain(row, reading));
  return isLeftOut ? undefined : '';
}

const isSo = ({ when = [] }: RowOnV2, json: unknown, find: Find): boolean =>
  when.every(([path, is]) => is.includes(textOf(valueAt(json, pathOf(path), find))?.toLowerCase() ?? ''));

/** Omits a record that is not set. */
function oneOf(
  json: unknown,
  of: string,
  v2: RowOnV2,
  find: Find,
  reading: Reading,
): RecordValue | undefined {
  const value = firstOf(usable(v2, reading), json, find);
  if (!isObject(value)) return undefined;
  const record = readRecord(value, reading.method.records[of] ?? {}, find, reading);
  return Object.values(record).some((one) => one !== undefined && one !== '') ? record : undefined;
}

function listOf(
  json: unknown,
  { list = ['', ''], unset, v2: row }: Row,
  v2: RowOnV2 | undefined,
  find: Find,
  reading: Reading,
): readonly RecordValue[] | undefined {
  const none = unset === 'empty' && (row?.detailed !== true || v2 !== undefined) ? [] : undefined;
  const value = v2 && firstOf(usable(v2, reading), json, find);
  if (value === undefined || value === null) return none;
  const all = entries(value);
  if (all.length === 0 && unset === 'omit') return undefined;
  const rows = reading.method.records[list[1]] ?? {};
  return all.map((entry) => readRecord(entry, rows, find, reading));
}

function textOn(json: unknown, row: Row, v2: RowOnV2, find: Find, reading: Reading): string | undefined {
  const paths = usable(v2, reading);
  const isPlain = row.id !== undefined || (row.as === undefined && v2.all !== true);
  const text = isPlain
    ? (textOf(
        (v2.filled === true ? firstFilled(paths, json, find) : undefined) ?? firstOf(paths, json, find),
      ) ?? (row.id === undefined ? told(json, v2, find, reading) : undefined))
    : formatted(json, row, v2, paths, find);
  if (text === undefined || (text === '' && v2.absent !== undefined)) return v2.absent;
  const words = v2.fromV2;
  const lower = text.toLowerCase();
  return words !== undefined && Object.hasOwn(words, lower) ? words[lower] : text;
}

function formatted(
  json: unknown,
  { as = 'text' }: Row,
  { all }: RowOnV2,
  paths: readonly string[],
  find: Find,
): string | undefined {
  const format = formatOf(as);
  if (all !== true) return format.fromV2([firstOf(paths, json, find)], () => undefined);
  const size = format.group ?? paths.length;
  let values: readonly unknown[] = [];
  for (let at = 0; at < paths.length; at += size) {
    values = paths.slice(at, at + size).map((path) => valueAt(json, pathOf(path), find));
    if (values.some((value) => value !== undefined && value !== null && value !== '')) break;
  }
  return format.fromV2(values, () => undefined);
}

/** Returns an empty text if the record that would have the value was looked up and has none. */
function told(json: unknown, v2: RowOnV2, find: Find, reading: Reading): string | undefined {
  const isThere = v2.paths
    .map(pathOf)
    .filter((path) => tablesIn(path).some((table) => isCostly(table, reading)))
    .some((path) => isObject(valueAt(json, path.slice(0, -1), find)));
  return isThere ? '' : undefined;
}

const isCostly = (table: string, { shared }: Reading): boolean => shared.lookups[table]?.form === 'record';

/**
 * Whether the value needs a request of its own. If it was not read, the element is omitted: written back
 * empty, it would clear the value.
 */
const isUncertain = ({ as, v2 }: Row, reading: Reading): boolean =>
  as === undefined &&
  (v2?.paths ?? []).some((path) => tablesIn(pathOf(path)).some((table) => isCostly(table, reading)));

/** The paths that this method may follow, up to the first that needs a request of its own. */
function usable({ paths, all }: RowOnV2, reading: Reading): readonly string[] {
  if (all === true) return paths;
  const allowed = reading.method.v2?.lookups ?? [];
  const open = paths.filter((path) =>
    tablesIn(pathOf(path)).every((table) => !isCostly(table, reading) || allowed.includes(table)),
  );
  const last = open.findIndex((path) => tablesIn(pathOf(path)).some((table) => isCostly(table, reading)));
  return last < 0 ? open : open.slice(0, last + 1);
}

/** The first value that is not an empty text. */
function firstFilled(paths: readonly string[], json: unknown, find: Find): unknown {
  return paths
    .map((path) => valueAt(json, pathOf(path), find))
    .find((value) => value !== undefined && value !== null && value !== '');
}

function firstOf(paths: readonly string[], json: unknown, find: Find): unknown {
  for (const path of paths) {
    const value = valueAt(json, pathOf(path), find);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}
