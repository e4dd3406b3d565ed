/**
 * Rewrites small replies of V3 that hold one record, without a parser: nearly every reply is plain, and a scan for its
 * tags costs a fraction of an event for each of them.
 *
 * The scanner is compiled from the table of the record. It takes only what it can write exactly as the strict reader and
 * the writer would (`reply.ts`, `lib/xml/writer.ts`): elements of the table without attributes, text with no
 * other references than `&amp;`, `&lt;` and `&gt;`, identifiers that are in memory. At anything else, a comment, CDATA,
 * a DOCTYPE, white space between elements, an element it does not know, malformed text, it gives up and the strict reader reads the
 * reply from its start; so there is one truth about what is refused, and a property test holds both to the same bytes.
 */
import { isUtf8 } from 'node:buffer';
import { escapeText } from '../../lib/xml/text.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { formatOf } from '../../mapping/formats.ts';
import type { Translation } from '../identifiers.ts';

/** Larger replies are read in slices, with turns for others between. */
const LONGEST = 8_192;
/** Records within records; the strict reader allows more. */
const DEEPEST = 16;
const HEAD =
  /^<\?xml version="1\.0" encoding="UTF-8"\?>(?:\r\n)?<Response(?: api-method="[A-Za-z]+")?><Status>OK<\/Status>/;
/** What XML forbids or changes, the end of CDATA, and any other reference than to the three characters. */
const UNUSUAL = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\]\]>|&(?!(?:amp|lt|gt);)/;

/** One row of the table: how its element stands in V3, and how it is written in the legacy form. */
interface Cell {
  readonly row: RecordRow;
  readonly place: number;
  readonly begin: string;
  readonly end: string;
  /** End tag in V3. */
  readonly close: string;
  /** For an element that is empty, a list without entries, a record that nobody has chosen. */
  readonly empty: string;
  /** Of what is within it. */
  readonly cells: Cells | undefined;
  readonly kind: Kind | undefined;
  readonly format: ((text: string) => string) | undefined;
  /** Any text in it is for the strict reader. */
  readonly isForeign: boolean;
}

interface Cells {
  readonly byName: Map<string, readonly Cell[]>;
  /** What stands in a reply for each row that V3 left out. */
  readonly absent: string[];
}

/** Compiled once for each method whose reply is one record. */
export class ReplyScanner {
  readonly #element: string;
  readonly #cells: Cells;

  constructor(element: string, table: RecordTable) {
    this.#element = element;
    this.#cells = cellsOf(table, new Map());
  }

  /** The record in the legacy form; undefined: the strict reader has to look. */
  scan(reply: Buffer | undefined, ids: Translation): string | undefined {
    if (reply === undefined || reply.length > LONGEST || !isUtf8(reply)) return undefined;
    const text = reply.toString('utf8');
    const head = HEAD.exec(text)?.[0].length ?? -1;
    const open = `<${this.#element}>`;
    if (!text.startsWith(open, head) || UNUSUAL.test(text.slice(head))) return undefined;
    const scan = new Scan(text, head + open.length, ids);
    const record = scan.record(this.#cells, `</${this.#element}>`, 1);
    return record === undefined || !scan.endsWith('</Response>') || !scan.hasElements
      ? undefined
      : `${open}${record}</${this.#element}>`;
  }
}

/** Where one reply is being read. */
class Scan {
  /** Whether the record that was read last holds an element. */
  hasElements = false;
  /** Whether what was read last holds more than blanks. */
  #isSet = false;
  readonly #text: string;
  readonly #ids: Translation;
  #at: number;

  constructor(text: string, at: number, ids: Translation) {
    this.#text = text;
    this.#at = at;
    this.#ids = ids;
  }

  endsWith(tail: string): boolean {
    return this.#text.length === this.#at + tail.length && this.#text.endsWith(tail);
  }

  /** Elements up to the end tag, written in the order of the rows; undefined: something unusual. */
  record({ byName, absent }: Cells, close: string, depth: number): string | undefined {
    const written = absent.slice();
    let isSet = false;
    let count = 0;
    for (; !this.#text.startsWith(close, this.#at); count += 1) {
      const tag = this.#takeTag();
      const isEmpty = tag.endsWith('/');
      const cells = byName.get(isEmpty ? tag.slice(0, -1).trimEnd() : tag);
      const begun = this.#at;
      if (cells === undefined || depth > DEEPEST) return undefined;
      for (const cell of cells) {
        this.#at = begun;
        const value = isEmpty ? cell.empty : this.#value(cell, depth);
        if (value === undefined) return undefined;
        written[cell.place] = value;
        isSet ||= !isEmpty && this.#isSet;
      }
    }
    this.#at += close.length;
    this.#isSet = isSet;
    this.hasElements = count > 0;
    return written.join('');
  }

  /** What stands between the brackets; empty where there is no tag. */
  #takeTag(): string {
    const end = this.#text.indexOf('>', this.#at);
    if (end < 0 || this.#text[this.#at] !== '<') return '';
    const tag = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return tag;
  }

  #value(cell: Cell, depth: number): string | undefined {
    const { row, cells, begin, end, close } = cell;
    if (cells === undefined) return this.#leaf(cell);
    if (row.holds === 'list') return this.#list(cell, cells, depth);
    const record = this.record(cells, close, depth + 1);
    if (record === undefined) return undefined;
    // A nested record that nobody has chosen is left out; V3 may write it empty.
    const isChosen = this.#isSet;
    this.#isSet = this.hasElements;
    return isChosen ? begin + record + end : cell.empty;
  }

  #list({ row, begin, end, close, empty }: Cell, cells: Cells, depth: number): string | undefined {
    const child = row.holds === 'list' ? row.child : '';
    const open = `<${child}>`;
    let entries = '';
    while (!this.#text.startsWith(close, this.#at)) {
      if (!this.#text.startsWith(open, this.#at)) return undefined;
      this.#at += open.length;
      const record = this.record(cells, `</${child}>`, depth + 1);
      if (record === undefined) return undefined;
      entries += `${open}${record}</${child}>`;
    }
    this.#at += close.length;
    this.#isSet = entries !== '';
    return entries === '' ? empty : begin + entries + end;
  }

  #leaf({ begin, end, close, empty, kind, format, isForeign }: Cell): string | undefined {
    const stop = this.#text.indexOf('<', this.#at);
    if (!this.#text.startsWith(close, stop)) return undefined;
    const text = this.#text.slice(this.#at, stop);
    this.#at = stop + close.length;
    this.#isSet = text.trim() !== '';
    if (text.includes('>')) return undefined;
    if (kind !== undefined) return this.#identifier(kind, text, begin, end, empty);
    if (text === '') return empty;
    if (format === undefined) return isForeign ? undefined : begin + text + end;
    if (text.includes('&')) return undefined;
    const formatted = format(text);
    return formatted === '' ? empty : begin + (formatted === text ? text : escapeText(formatted)) + end;
  }

  #identifier(kind: Kind, text: string, begin: string, end: string, empty: string): string | undefined {
    const number = text.includes('&') ? undefined : this.#ids.remembered(kind, text.trim());
    if (number === undefined) return undefined;
    return number === '' ? empty : begin + number + end;
  }
}

/** `known` holds the tables begun: a record may contain itself. */
function cellsOf(table: RecordTable, known: Map<RecordTable, Cells>): Cells {
  const found = known.get(table);
  if (found !== undefined) return found;
  const cells: Cells = { byName: new Map(), absent: [] };
  known.set(table, cells);
  for (const [place, row] of table.rows.entries()) {
    const before = cells.byName.get(row.v3) ?? [];
    cells.byName.set(row.v3, [...before, cellOf(row, place, known)]);
    cells.absent.push(absentOf(row));
  }
  // What V3 may write under another name is for the strict reader, and so is a record that two rows read.
  for (const [name, of] of cells.byName)
    if (
      of.some(({ row }) => row.also.length > 0) ||
      (of.length > 1 && of.some(({ cells: within }) => within))
    )
      cells.byName.delete(name);
  return cells;
}

function cellOf(row: RecordRow, place: number, known: Map<RecordTable, Cells>): Cell {
  const { element, v3 } = row;
  const [begin, end] = [`<${element}>`, `</${element}>`];
  return {
    row,
    place,
    begin,
    end,
    close: `</${v3}>`,
    empty: emptyOf(row),
    cells: row.holds === 'one' || row.holds === 'list' ? cellsOf(row.of, known) : undefined,
    kind: row.holds === 'value' ? row.kind : undefined,
    format: row.holds === 'value' ? formatOf(row.format).fromV3 : undefined,
    isForeign: row.holds !== 'value' || row.format === 'documentLink',
  };
}

function emptyOf(row: RecordRow): string {
  if (row.holds === 'list') return `<${row.element} />`;
  return row.holds === 'value' && row.unset !== 'omit' ? `<${row.element}></${row.element}>` : '';
}

function absentOf(row: RecordRow): string {
  if (row.holds === 'list')
    return row.unset === 'empty' && row.v2?.detailedOnly !== true ? `<${row.element} />` : '';
  return row.holds === 'value' && row.unset === 'empty' ? `<${row.element}></${row.element}>` : '';
}
