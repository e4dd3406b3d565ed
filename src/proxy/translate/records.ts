/**
 * Writes the records of a reply: V2's JSON in, legacy XML out.
 *
 * The rows are compiled once per method (`cells.ts`) and then applied to one record after another; each element is
 * written as soon as its value is known. A cell follows its paths, applies the format, and translates words; a place
 * with several values, such as an address, is found once for all of them. Usually everything is in memory. Otherwise
 * the missing values are gathered and requested, many at a time, and the records are written once more: names by
 * `Lookups`, and numbers of identifiers here. After the first missing number, only values that may also be missing are
 * read.
 */
import type { DocumentLink, Trace } from '../call/call.ts';
import { Failure } from '../../lib/failure.ts';
import { countForbidden, escapeText } from '../../lib/xml/text.ts';
import { tagsOf, type Field } from '../../lib/xml/writer.ts';
import type { Translation } from '../identifiers.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { RecordTable } from '../../mapping/compile/model.ts';
import { entries, isObject, itself, textOf, type Find, type Walk } from '../../mapping/compile/path.ts';
import type { KeptAs } from '../../mapping/compile/records.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import { cellsOf, type Cell, type Cells } from './cells.ts';
import type { Given } from './lookups/given.ts';
import type { Lookups } from './lookups/lookups.ts';

/** What is needed to write the records of one call. */
export interface RecordSurroundings {
  readonly lookups: Lookups;
  readonly ids: Translation;
  readonly link: DocumentLink;
  readonly trace: Trace;
  /** Whether the caller gets the rows of the detailed answer. */
  readonly detailed: boolean;
  /** The request, if the call creates the record that it returns. */
  readonly creating: Given | undefined;
  /** The UUID of the record that these parts belong to; empty: they are not parts. */
  readonly owner: string;
}

/** The records of a reply, from V2's JSON to legacy XML. Compiled once per method. */
export class Records {
  readonly #creates: boolean;
  readonly #cells: Cells;
  readonly #tags: Field['each'];

  /** `keptAs`: which of V1's values from before the move are available. */
  constructor(
    element: string,
    table: RecordTable,
    creates: boolean,
    v2: Pick<V2Row, 'costly' | 'lookups'>,
    keptAs: readonly KeptAs[] = [],
  ) {
    this.#creates = creates;
    this.#cells = cellsOf(table, v2, keptAs);
    this.#tags = tagsOf(element);
  }

  /** Writes rows that arrived together: names and numbers are requested once for all of them. */
  async text(rows: readonly unknown[], surroundings: RecordSurroundings): Promise<string> {
    for (const row of rows) if (!isRecord(row, this.#cells)) throw new Failure('upstreamAnswer');
    const { lookups, ids, trace } = surroundings;
    let written = await lookups.settled(() => this.#write(rows, surroundings));
    // Once, unless memory has dropped other numbers meanwhile.
    for (const numbers = new Map<string, string>(); written.unknown.length > 0;) {
      await askFor(written, ids, numbers);
      written = this.#write(rows, surroundings, numbers);
    }
    trace.replaced += written.replaced;
    return written.text;
  }

  #write(rows: readonly unknown[], surroundings: RecordSurroundings, numbers?: Numbers): Writing {
    const { lookups, creating, owner, link, detailed, trace, ids } = surroundings;
    const { begin, end } = this.#tags;
    const writing: Writing = {
      link,
      detailed,
      ids,
      numbers,
      text: '',
      find: NOBODY,
      isMade: false,
      sent: undefined,
      formatting: '',
      lost: () => void trace.rounded.add(writing.formatting),
      filled: 0,
      unnumbered: 0,
      replaced: 0,
      unknown: [],
      created: undefined,
    };
    for (const row of rows) {
      writing.find = lookups.finder(row);
      writing.isMade = this.#creates;
      writing.sent = creating;
      writing.text += begin + elementsOf(row, this.#cells, writing, owner) + end;
    }
    return writing;
  }
}

/** By kind and UUID; empty: the record has no number. */
type Numbers = ReadonlyMap<string, string>;

/** Requests the unknown numbers. */
async function askFor(
  { unknown, created }: Writing,
  ids: Translation,
  numbers: Map<string, string>,
): Promise<void> {
  const found = await ids.toLegacy(
    (toLegacy) => unknown.map(({ kind, text }) => toLegacy(kind, text)),
    created,
  );
  for (const [at, { kind, text }] of unknown.entries()) numbers.set(`${kind} ${text}`, found[at] ?? '');
}

/** The records of one reply while they are written. */
interface Writing extends Pick<RecordSurroundings, 'link' | 'detailed' | 'ids'> {
  /** Numbers that had to be requested. */
  readonly numbers: Numbers | undefined;
  text: string;
  /** For look-ups from the record being written. */
  find: Find;
  /** Whether the call has created the record being written; `sent`: the request for it. */
  isMade: boolean;
  sent: Given | undefined;
  /**
   * The row whose value is being formatted; for `lost`, which formats call if the text is less precise than the value.
   */
  formatting: string;
  readonly lost: () => void;
  /** So far: values that are not empty, and identifiers without a number. */
  filled: number;
  unnumbered: number;
  /** Characters that no XML document can hold, sent as U+FFFD. */
  replaced: number;
  /** Identifiers whose numbers have to be requested; if there is one, the text is discarded. */
  readonly unknown: { readonly kind: Kind; readonly text: string }[];
  /**
   * The identifiers of the records that the service has just created: the record's own, and those of the lists that
   * were sent with it or belong to it. Records that it merely refers to existed before.
   */
  created: Set<string> | undefined;
}

/** Whether a row is a record with its own identifier, not a list or a text. */
function isRecord(row: unknown, { keys }: Cells): boolean {
  if (!isObject(row)) return false;
  for (const walk of keys) if ((textOf(walk(row, NOBODY)) ?? '') === '') return false;
  return true;
}

const NOBODY: Find = () => undefined;

/** The elements of one record, without its own tags. `owner`: the UUID of the record of which it is a part. */
function elementsOf(json: unknown, { cells, keys, hasParts }: Cells, writing: Writing, owner = ''): string {
  const own = hasParts ? (textOf(keys[0]?.(json, NOBODY)) ?? '') : owner;
  const isUseless = writing.unknown.length > 0;
  let text = '';
  let from = itself;
  let place = json;
  for (const cell of cells) {
    if (isUseless && !cell.asks) continue;
    if (cell.from !== from) {
      from = cell.from;
      place = from === itself ? json : from(json, NOBODY);
    }
    const applies = !cell.isConditional || areMet(cell, json, writing);
    text += applies ? elementOf(cell, place, writing, own) : cell.field.absent;
  }
  return text;
}

function elementOf(cell: Cell, json: unknown, writing: Writing, owner: string): string {
  const { field } = cell;
  const value = valueOf(cell, json, writing, owner);
  if (value === undefined) return field.absent;
  if (cell.isNested) return value;
  if (value === '') return field.empty;
  writing.filled += 1;
  const text = escapeText(value);
  if (text !== value && text.includes('\uFFFD')) writing.replaced += countForbidden(value);
  return field.begin + text + field.end;
}

/** Whether the row applies to the record, and to the form that the caller gets of it. */
function areMet({ conditions, detailedOnly }: Cell, json: unknown, { find, detailed }: Writing): boolean {
  if (detailedOnly && !detailed) return false;
  for (const { walk, is } of conditions)
    if (!is.includes(textOf(walk(json, find))?.toLowerCase() ?? '')) return false;
  return true;
}

/** The legacy form leaves out a record that is not set, or that has only an identifier without a number. */
function recordIn({ of, field }: Cell, value: unknown, writing: Writing): string | undefined {
  if (!isObject(value)) return undefined;
  const { filled, isMade } = writing;
  writing.isMade = false;
  const text = elementsOf(value, of, writing);
  writing.isMade = isMade;
  return writing.filled === filled ? undefined : field.begin + text + field.end;
}

function listIn(cell: Cell, list: unknown, writing: Writing, owner: string): string | undefined {
  const { of, field, omitsEmpty, none } = cell;
  if (list === undefined || list === null) return none;
  const rows = entries(list);
  if (rows.length === 0 && omitsEmpty) return undefined;
  const { isMade, sent } = writing;
  writing.isMade &&= cell.isOwn || sent?.[field.element] !== undefined;
  writing.sent = undefined;
  let text = '';
  for (const entry of rows) {
    const { filled, unnumbered } = writing;
    const elements = elementsOf(entry, of, writing, owner);
    // It would carry no information.
    const isBlank = writing.filled === filled && writing.unnumbered > unnumbered;
    if (!isBlank) text += field.each.begin + elements + field.each.end;
  }
  writing.isMade = isMade;
  writing.sent = sent;
  writing.filled += 1;
  return text === '' ? field.empty : field.begin + text + field.end;
}

function valueOf(cell: Cell, json: unknown, writing: Writing, owner: string): string | undefined {
  switch (cell.holds) {
    case 'kept':
      return keptValue(cell, json, writing, owner);
    case 'text':
      return worded(textOf(cell.walk(json, writing.find)), cell);
    case 'formatted':
      return worded(formatted(cell, json, writing), cell);
    case 'link': {
      const text = formatted(cell, json, writing);
      return text === undefined || text === '' ? worded(text, cell) : writing.link(text);
    }
    case 'identifier':
      return numbered(cell, json, writing);
    case 'one':
      return recordIn(cell, cell.walk(json, writing.find), writing);
    case 'list':
      return listIn(cell, cell.walk(json, writing.find), writing, owner);
    case 'nothing':
      return undefined;
  }
}

/** V1's value, before V2's or only where V2 has none. */
function keptValue(cell: Cell, json: unknown, writing: Writing, owner: string): string | undefined {
  const { kept, absent } = cell;
  if (kept === undefined) return undefined;
  const { told, isGap, v2 } = kept;
  if (!isGap) return told(json, writing.find, owner) ?? valueOf(v2, json, writing, owner);
  const value = valueOf(v2, json, writing, owner);
  return value === undefined || value === '' ? (told(json, writing.find, owner) ?? absent ?? value) : value;
}

function numbered(cell: Cell, json: unknown, writing: Writing): string | undefined {
  const text = textOf(cell.walk(json, writing.find));
  if (text === undefined || text === '') return cell.absent;
  const { kind } = cell;
  if (writing.isMade && cell.isOwn) (writing.created ??= new Set()).add(text.toLowerCase());
  const number = writing.numbers?.get(`${kind} ${text}`) ?? writing.ids.remembered(kind, text);
  if (number === undefined) writing.unknown.push({ kind, text });
  else if (number === '') writing.unnumbered += 1;
  return number ?? '';
}

function formatted(
  { walk, walks, group, format, name }: Cell,
  json: unknown,
  writing: Writing,
): string | undefined {
  const { find, lost } = writing;
  writing.formatting = name;
  return format.fromV2(group === 0 ? [walk(json, find)] : groupIn(walks, group, json, find), lost);
}

/** The values of the first group of paths that has one; otherwise those of the last group. */
function groupIn(walks: readonly Walk[], size: number, json: unknown, find: Find): readonly unknown[] {
  for (let from = 0; ; from += size) {
    const values: unknown[] = [];
    let isFound = from + size >= walks.length;
    for (let at = from; at < from + size && at < walks.length; at += 1) {
      const value = walks[at]?.(json, find);
      values.push(value);
      isFound ||= value !== undefined && value !== null && value !== '';
    }
    if (isFound) return values;
  }
}

/** The legacy word for V2's, or the default if V2 has none. */
function worded(text: string | undefined, { words, absent }: Cell): string | undefined {
  if (text === undefined || (text === '' && absent !== undefined)) return absent;
  return words === undefined ? text : (words.get(text.toLowerCase()) ?? text);
}
