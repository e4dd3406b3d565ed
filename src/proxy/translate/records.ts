/**
 * Writes the records of a reply: V2's JSON in, legacy XML out.
 *
 * The rows are compiled once per method (`cells.ts`); here one record after another is read with them and
 * written. A cell follows its paths, applies the format, and translates words. Identifiers are collected in
 * `pending` and replaced by numbers many at a time.
 */
import type { DocumentLink, Trace } from '../call/call.ts';
import { Failure } from '../../lib/failure.ts';
import type { FieldValue, RecordValue } from '../../lib/xml/shape.ts';
import { countForbidden } from '../../lib/xml/text.ts';
import { compileWriter } from '../../lib/xml/writer.ts';
import { settle, type Pending, type Translation } from '../identifiers.ts';
import type { RecordTable } from '../../mapping/compile/model.ts';
import { entries, isObject, textOf, type Find, type Walk } from '../../mapping/compile/path.ts';
import type { KeptAs } from '../../mapping/compile/records.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import { shapeOf } from '../forward/reply.ts';
import { cellsOf, isUncertain, type Cell, type Cells } from './cells.ts';
import { createdIn } from './lookups/created.ts';
import type { Given } from './lookups/given.ts';
import type { Lookups } from './lookups/lookups.ts';

/** What the records of one call are written with. */
export interface RecordSurroundings {
  readonly lookups: Lookups;
  readonly ids: Translation;
  readonly link: DocumentLink;
  readonly trace: Trace;
  /** Whether the caller gets the rows of the detailed answer. */
  readonly detailed: boolean;
  /** The request, if the call creates what it answers with. */
  readonly creating: Given | undefined;
  /** The UUID of the record of which these are parts; empty: of none. */
  readonly owner: string;
}

/** The records of a reply, from V2's JSON to legacy XML. Compiled once per method. */
export class Records {
  readonly #table: RecordTable;
  readonly #creates: boolean;
  readonly #cells: Cells;
  readonly #write: (value: RecordValue) => string;

  /** `keptAs`: which of V1's values from before the move there are. */
  constructor(
    element: string,
    table: RecordTable,
    creates: boolean,
    v2: Pick<V2Row, 'costly' | 'lookups'>,
    keptAs: readonly KeptAs[] = [],
  ) {
    this.#table = table;
    this.#creates = creates;
    this.#cells = cellsOf(table, v2, keptAs);
    const shape = shapeOf(table, new Map(), (row) => isUncertain(row, v2.costly));
    this.#write = compileWriter(element, shape);
  }

  /** For rows that arrived together: names and numbers are requested once for all of them. */
  async text(rows: readonly unknown[], surroundings: RecordSurroundings): Promise<string> {
    for (const row of rows) if (!isRecord(row, this.#cells)) throw new Failure('upstreamAnswer');
    const { lookups, ids, link, trace, detailed, creating, owner } = surroundings;
    const { values, pending } = await lookups.settled(() => {
      const reading = { link, detailed, trace, pending: [] as Pending[] };
      const values: RecordValue[] = [];
      for (const row of rows) values.push(readRecord(row, this.#cells, lookups.finder(row), reading, owner));
      return { values, pending: reading.pending };
    });
    const created = this.#creates ? createdIn(values, pending, this.#table, creating) : undefined;
    await settle(pending, ids, created);
    for (const { record, row } of pending)
      if (record[row] === '') {
        withoutBlank(values, this.#cells);
        break;
      }
    let text = '';
    for (const value of values) text += this.#write(value);
    // Counted only if one may be there: checking every value would cost more than writing it.
    if (text.includes('\uFFFD')) trace.replaced += values.reduce((sum, value) => sum + forbiddenIn(value), 0);
    return text;
  }
}

/** Removes records that had only an identifier without a number: they would carry no information. */
function withoutBlank(records: readonly RecordValue[], { cells }: Cells): void {
  for (const record of records as FieldValue[][])
    for (const [at, { holds, of }] of cells.entries()) {
      const value = record[at];
      if (typeof value !== 'object' || (holds !== 'one' && holds !== 'list')) continue;
      const within = (holds === 'one' ? [value] : value) as readonly RecordValue[];
      withoutBlank(within, of);
      const rest = within.filter((one) => one.some((field) => field !== undefined && field !== ''));
      if (rest.length < within.length) record[at] = holds === 'one' ? undefined : rest;
    }
}

/** What the records of one reply are read with. */
export interface Reading {
  readonly link: DocumentLink;
  readonly detailed: boolean;
  /** Told of rows whose text says less than V2's value. */
  readonly trace: Trace;
  /** Identifiers whose numbers have to be looked up. */
  readonly pending: Pending[];
}

/** A list or a text is not a record, and neither is one without its own identifier. */
function isRecord(row: unknown, { keys }: Cells): boolean {
  if (!isObject(row)) return false;
  for (const walk of keys) if ((textOf(walk(row, NOBODY)) ?? '') === '') return false;
  return true;
}

const NOBODY: Find = () => undefined;

/** The values of one record, in the order of its cells. `owner`: the UUID of the record of which it is a part. */
export function readRecord(
  json: unknown,
  { cells, keys, hasParts }: Cells,
  find: Find,
  reading: Reading,
  owner = '',
): RecordValue {
  const record: FieldValue[] = [];
  const own = hasParts ? (textOf(keys[0]?.(json, NOBODY)) ?? '') : owner;
  for (const cell of cells) {
    const isMeant = !cell.detailedOnly || reading.detailed;
    const isSo = cell.conditions.length === 0 || areMet(cell.conditions, json, find);
    record.push(isMeant && isSo ? valueOf(cell, json, find, reading, record, own) : undefined);
  }
  return record;
}

/** Whether the row applies to the record. */
function areMet(conditions: Cell['conditions'], json: unknown, find: Find): boolean {
  for (const { walk, is } of conditions)
    if (!is.includes(textOf(walk(json, find))?.toLowerCase() ?? '')) return false;
  return true;
}

function valueOf(
  cell: Cell,
  json: unknown,
  find: Find,
  reading: Reading,
  record: FieldValue[],
  owner: string,
): FieldValue {
  switch (cell.holds) {
    case 'nothing':
      return undefined;
    case 'kept':
      return keptValue(cell, json, find, reading, record, owner);
    case 'text':
      return worded(textOf(cell.walk(json, find)), cell);
    case 'formatted':
      return worded(formatted(cell, json, find, reading), cell);
    case 'link': {
      const text = formatted(cell, json, find, reading);
      return text === undefined || text === '' ? worded(text, cell) : reading.link(text);
    }
    case 'identifier': {
      const text = textOf(cell.walk(json, find));
      if (text === undefined || text === '') return cell.absent;
      reading.pending.push({ kind: cell.kind, text, record, row: record.length });
      return text;
    }
    case 'one':
      return chosen(cell, cell.walk(json, find), find, reading);
    case 'list': {
      const list = cell.walk(json, find);
      if (list === undefined || list === null) return cell.none;
      const rows = entries(list);
      if (rows.length === 0 && cell.omitsEmpty) return undefined;
      const records: RecordValue[] = [];
      for (const entry of rows) records.push(readRecord(entry, cell.of, find, reading, owner));
      return records;
    }
  }
}

/** V1's value before V2's, or where V2 has none. */
function keptValue(
  { kept, absent }: Cell,
  json: unknown,
  find: Find,
  reading: Reading,
  record: FieldValue[],
  owner: string,
): FieldValue {
  if (kept === undefined) return undefined;
  const { told, isGap, v2 } = kept;
  if (!isGap) return told(json, find, owner) ?? valueOf(v2, json, find, reading, record, owner);
  const value = valueOf(v2, json, find, reading, record, owner);
  return value === undefined || value === '' ? (told(json, find, owner) ?? absent ?? value) : value;
}

/** The legacy form leaves out a record that is not set. */
function chosen(cell: Cell, value: unknown, find: Find, reading: Reading): FieldValue {
  if (!isObject(value)) return undefined;
  const { pending } = reading;
  const from = pending.length;
  const record = readRecord(value, cell.of, find, reading);
  for (const field of record) if (field !== undefined && field !== '') return record;
  pending.length = from;
  return undefined;
}

function formatted(cell: Cell, json: unknown, find: Find, { trace }: Reading): string | undefined {
  const { walk, walks, group } = cell;
  const values = group === 0 ? [walk(json, find)] : groupIn(walks, group, json, find);
  return cell.format.fromV2(values, () => void trace.rounded.add(cell.element));
}

/** The values of the first group of paths that finds one; otherwise those of the last. */
function groupIn(walks: readonly Walk[], size: number, json: unknown, find: Find): readonly unknown[] {
  let values: unknown[] = [];
  for (let at = 0; at < walks.length; at += size) {
    values = [];
    let isFound = false;
    for (const walk of walks.slice(at, at + size)) {
      const value = walk(json, find);
      values.push(value);
      isFound ||= value !== undefined && value !== null && value !== '';
    }
    if (isFound) break;
  }
  return values;
}

/** The legacy word for V2's, and the value used if V2 has none. */
function worded(text: string | undefined, { words, absent }: Cell): string | undefined {
  if (text === undefined || (text === '' && absent !== undefined)) return absent;
  return words === undefined ? text : (words.get(text.toLowerCase()) ?? text);
}

/** Characters of a record that no XML document can hold, sent as U+FFFD. */
function forbiddenIn(value: FieldValue): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return countForbidden(value);
  let sum = 0;
  for (const inner of value) sum += forbiddenIn(inner);
  return sum;
}
