/**
 * Reads V2's JSON records into the values that the writer of legacy XML takes.
 *
 * For each record table a `JsonReader` is compiled once, with one function for each row: it follows the row's paths,
 * applies the format, and translates words. Identifiers are collected in `pending` and replaced by numbers later, many
 * at a time. A path through a table that costs a call for each record is used only where the method allows it.
 */
import type { FieldValue, RecordValue } from '../../../lib/xml/shape.ts';
import { formatOf, type Format } from '../../../mapping/formats.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import {
  entries,
  isObject,
  tablesIn,
  textOf,
  walkOf,
  type Find,
  type Path,
  type Walk,
} from '../../../mapping/compile/path.ts';
import type { RowTranslation } from '../../../mapping/compile/records.ts';
import { areMet } from '../conditions.ts';
import type { DocumentLink } from '../../forward/record-reader.ts';
import type { Pending } from '../../identifiers.ts';

/** What a record is read with. */
export interface Reading {
  readonly find: Find;
  readonly link: DocumentLink;
  /** Whether the caller gets the rows that belong to the detailed answer. */
  readonly detailed: boolean;
  /** Identifiers whose numbers have to be asked for. */
  readonly pending: Pending[];
  /** The text of a row says less than V2's value did. */
  readonly lost: (element: string) => void;
}

type RowReader = (json: unknown, reading: Reading, record: FieldValue[], row: number) => FieldValue;

/** The reader of one record table. */
export class JsonReader {
  readonly #rows: RowReader[] = [];

  private constructor(table: RecordTable, known: Known) {
    known.readers.set(table, this); // before the rows: a record may contain itself
    for (const row of table.rows) this.#rows.push(readerOf(row, known, `${table.name}/${row.element}`));
  }

  /** `costly`: tables that cost a call for each record, and those of them that may be used. */
  static of(table: RecordTable, costly: Costly): JsonReader {
    return new JsonReader(table, { readers: new Map(), costly });
  }

  read(json: unknown, reading: Reading): RecordValue {
    const record: FieldValue[] = [];
    let row = 0;
    for (const reader of this.#rows) record.push(reader(json, reading, record, row++));
    return record;
  }

  static within(table: RecordTable, known: Known): JsonReader {
    return known.readers.get(table) ?? new JsonReader(table, known);
  }
}

/** As a `V2Way` has it. */
interface Costly {
  readonly costly: ReadonlySet<string>;
  readonly lookups: ReadonlySet<string>;
}

interface Known {
  readonly readers: Map<RecordTable, JsonReader>;
  readonly costly: Costly;
}

/**
 * The paths that are used. One through a costly table is the last: those after it would be tried while its record is
 * still awaited.
 */
function usable(translation: RowTranslation, { costly, lookups }: Costly): RowTranslation {
  if (translation.take === 'all') return translation;
  const costs = (path: Path): boolean => tablesIn(path).some((table) => costly.has(table));
  const open = translation.paths.filter((path) =>
    tablesIn(path).every((table) => !costly.has(table) || lookups.has(table)),
  );
  const last = open.findIndex(costs);
  return { ...translation, paths: last < 0 ? open : open.slice(0, last + 1) };
}

const nothing: RowReader = () => undefined;

function readerOf(row: RecordRow, known: Known, element: string): RowReader {
  const translation = row.v2 && usable(row.v2, known.costly);
  if (translation === undefined) return nothing;
  const read = plainReaderOf(row, translation, known, element);
  const { conditions, detailedOnly } = translation;
  if (conditions.length === 0 && !detailedOnly) return read;
  return (json, reading, record, at) => {
    if (detailedOnly && !reading.detailed) return undefined;
    const holds = conditions.length === 0 || areMet(conditions, json, reading.find);
    return holds ? read(json, reading, record, at) : undefined;
  };
}

function plainReaderOf(
  row: RecordRow,
  translation: RowTranslation,
  known: Known,
  element: string,
): RowReader {
  switch (row.holds) {
    case 'value':
      return row.kind === undefined
        ? valueReader(row, translation, element)
        : identifierReader(translation, row.kind);
    case 'one': {
      const inner = JsonReader.within(row.of, known);
      const walk = firstOf(translation.paths);
      return (json, reading) => {
        const value = walk(json, reading.find);
        if (!isObject(value)) return undefined;
        const from = reading.pending.length;
        const read = inner.read(value, reading);
        if (read.some(says)) return read;
        reading.pending.length = from; // a record nobody has chosen is left out in the legacy form
        return undefined;
      };
    }
    case 'list': {
      const inner = JsonReader.within(row.of, known);
      const walk = firstOf(translation.paths);
      const omits = row.unset === 'omit';
      return (json, reading) => {
        const value = walk(json, reading.find);
        if (value === undefined) return undefined;
        const rows = entries(value);
        return rows.length === 0 && omits ? undefined : rows.map((entry) => inner.read(entry, reading));
      };
    }
    case 'many':
      return nothing; // requests only
  }
}

const says = (value: FieldValue): boolean => value !== undefined && value !== '';

/** The first path that holds a value. */
function firstOf(paths: readonly Path[]): Walk {
  const walks = paths.map((path) => walkOf(path));
  const [only] = walks;
  if (only !== undefined && walks.length === 1) return (json, find) => only(json, find) ?? undefined;
  return (json, find) => {
    for (const walk of walks) {
      const value = walk(json, find);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  };
}

function identifierReader(translation: RowTranslation, kind: string): RowReader {
  const walk = firstOf(translation.paths);
  return (json, reading, record, row) => {
    const text = textOf(walk(json, reading.find));
    if (text === undefined || text === '') return translation.absent;
    reading.pending.push({ kind, text, record, row });
    return text;
  };
}

type Values = (json: unknown, find: Find) => readonly unknown[];

/** The values of the first group of paths that holds one; where none does, those of the last. */
function groupOf(paths: readonly Path[], size: number): Values {
  const groups: Walk[][] = [];
  for (let at = 0; at < paths.length; at += size)
    groups.push(paths.slice(at, at + size).map((path) => walkOf(path)));
  return (json, find) => {
    let values: readonly unknown[] = [];
    for (const group of groups) {
      values = group.map((walk) => walk(json, find));
      if (values.some((value) => value !== undefined && value !== null && value !== '')) return values;
    }
    return values;
  };
}

function valuesOf({ paths, take }: RowTranslation, format: Format): Values {
  if (take === 'all') return groupOf(paths, format.group ?? paths.length);
  const walk = firstOf(paths);
  return (json, find) => [walk(json, find)];
}

function valueReader(
  row: RecordRow & { readonly holds: 'value' },
  translation: RowTranslation,
  element: string,
): RowReader {
  if (row.format === 'text' && translation.take === 'first') return plainReader(translation);
  const format: Format = formatOf(row.format);
  const values = valuesOf(translation, format);
  const worded = wordedBy(translation);
  const isLink = row.format === 'documentLink';
  return (json, reading) => {
    const text = format.fromV2(values(json, reading.find), () => {
      reading.lost(element);
    });
    return isLink && text !== undefined && text !== '' ? reading.link(text) : worded(text);
  };
}

/** Most rows: a text as it is. */
function plainReader(translation: RowTranslation): RowReader {
  const walk = firstOf(translation.paths);
  const worded = wordedBy(translation);
  return (json, reading) => worded(textOf(walk(json, reading.find)));
}

/** The legacy word for V2's, and what stands where V2 has none. */
function wordedBy({ fromV2, absent }: RowTranslation): (text: string | undefined) => string | undefined {
  return (text) => {
    if (text === undefined || (text === '' && absent !== undefined)) return absent;
    return fromV2.size === 0 ? text : (fromV2.get(text.toLowerCase()) ?? text);
  };
}
