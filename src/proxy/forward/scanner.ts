/**
 * Rewrites V3 replies with one record or a list, without a parser: nearly every reply is plain, and scanning for its
 * tags costs a fraction of an event per tag.
 *
 * The scanner is compiled from the table of the record (`cells.ts`). It handles only what it can write exactly as the
 * strict reader and the writer would (`reply.ts`, `lib/xml/writer.ts`): elements of the table without attributes, text
 * with no references but `&amp;`, `&lt;` and `&gt;`, identifiers that are in memory. At anything else it gives up, and
 * the strict reader reads a single record from its start, or a list from the record that is not plain
 * (`list-answer.ts`). So only one reader decides what is refused, and a property test checks that both produce the same
 * bytes.
 */
import { isUtf8 } from 'node:buffer';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import { escapeText } from '../../lib/xml/text.ts';
import type { RecordTable } from '../../mapping/compile/model.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { Translation } from '../identifiers.ts';
import { cellsOf, type Cell, type Cells } from './cells.ts';

/** In bytes: larger replies are read in slices, with turns for others in between. */
const LONGEST = 8_192;
/** Nested records; the strict reader allows more. */
const DEEPEST = 16;
/** Characters of a record in a list; no record up to this length exceeds the limits of the strict reader. */
const LONGEST_RECORD = 65_536;
const EMPTY = Buffer.alloc(0);
/** Start of the document when the strict reader takes over a list. */
const OPEN = '<Response><Status>OK</Status>';
const CLOSED = `${OPEN}${CLOSE_RESPONSE}`;
const HEAD =
  /^(?:<\?xml version="1\.0" encoding="UTF-8"\?>(?:\r\n)?)?<Response(?: api-method="[A-Za-z]+")?><Status>OK<\/Status>/;
/** An element beside the list, usually a count. */
const LEAF = /<([A-Za-z]+)>([^<>&\u0000-\u001f\ufffe\uffff]*)<\/\1>/y;
/** What XML forbids or changes, the end of CDATA, and any reference except to the three characters. */
const UNUSUAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\]\]>|&(?!(?:amp|lt|gt);)/;

/** Compiled once for each method whose reply is one record. */
export class ReplyScanner {
  readonly #element: string;
  readonly #cells: Cells;

  constructor(element: string, table: RecordTable) {
    this.#element = element;
    this.#cells = cellsOf(table);
  }

  /** The record in the legacy form; undefined: the strict reader has to read it. */
  scan(reply: Buffer | undefined, ids: Translation): string | undefined {
    if (reply === undefined || reply.length > LONGEST || !isUtf8(reply)) return undefined;
    const text = reply.toString('utf8');
    const head = HEAD.exec(text)?.[0].length ?? -1;
    const open = `<${this.#element}>`;
    if (!text.startsWith(open, head) || UNUSUAL.test(text.slice(head))) return undefined;
    const scan = new Scan(text, head + open.length, ids);
    const record = scan.record(this.#cells, `</${this.#element}>`, 1);
    return record === undefined || text.slice(scan.at) !== CLOSE_RESPONSE || !scan.hasElements
      ? undefined
      : `${open}${record}</${this.#element}>`;
  }
}

type Leaf = readonly [name: string, text: string];
/** A record of a list in the legacy form, and the identifier that reveals repeated records. */
export interface ListRecord {
  readonly text: string;
  readonly identity: string | undefined;
}

/** The content of a part of a page: records, and the leaf elements beside the list. */
export interface ListPart {
  readonly records: readonly ListRecord[];
  readonly beside: readonly Leaf[];
}

/** How the lists of a method are scanned. */
export interface ListForm {
  readonly cells: Cells;
  readonly container: string;
  readonly element: string;
}

/** One page of a list, scanned as it arrives. */
export class ListScan {
  /** Something is not plain, so the strict reader must continue with `left`. */
  isUnusual = false;
  readonly #form: ListForm;
  readonly #ids: Translation;
  #rest: Buffer = EMPTY;
  /** A short form of what has been read so far; empty until the list begins. */
  #taken = '';
  #end = ''; // closes the list; empty where it stood there as an empty element

  constructor(form: ListForm, ids: Translation) {
    this.#form = form;
    this.#ids = ids;
  }

  /** The unread rest, as a document with the same beginning. */
  get left(): Buffer {
    return Buffer.concat([Buffer.from(this.#taken), this.#rest]);
  }

  /** Returns the records that have arrived completely. `isEnd`: nothing more follows. */
  take(piece: Buffer, isEnd: boolean): ListPart {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const isLast = isEnd || bytes.toString('latin1', bytes.length - CLOSE_RESPONSE.length) === CLOSE_RESPONSE;
    const size = isLast ? bytes.length : this.#endOfLast(bytes);
    const isText = isUtf8(bytes.subarray(0, size));
    const text = isText ? bytes.toString('utf8', 0, size) : '';
    const part = { records: [] as ListRecord[], beside: [] as Leaf[] };
    const begun = this.#taken === '' ? this.#begin(text, part.beside) : 0;
    const at = this.#records(text, begun, part.records);
    const isWhole = isText && (isLast ? this.#isEnd(text, at, part.beside) : at === text.length);
    this.isUnusual = !isWhole || bytes.length - size > LONGEST_RECORD;
    this.#rest = bytes.subarray(isWhole ? size : Buffer.byteLength(text.slice(0, at)));
    return part;
  }

  #endOfLast(bytes: Buffer): number {
    const close = `</${this.#form.element}>`;
    const last = bytes.lastIndexOf(close);
    return last < 0 ? 0 : last + close.length;
  }

  /** The position at which the records begin. */
  #begin(text: string, beside: Leaf[]): number {
    const { container } = this.#form;
    const head = HEAD.exec(text)?.[0].length;
    if (head === undefined) return 0;
    const leaves: Leaf[] = [];
    const at = this.#leavesEnd(text, head, leaves);
    const isEmpty = text.startsWith(`<${container} />`, at);
    const begin = isEmpty ? `<${container} />` : `<${container}>`;
    if (!text.startsWith(begin, at)) return 0;
    beside.push(...leaves);
    this.#taken = OPEN + (isEmpty ? '' : begin);
    this.#end = isEmpty ? '' : `</${container}>`;
    return at + begin.length;
  }

  /** The position at which the last plain record ends. */
  #records(text: string, begun: number, records: ListRecord[]): number {
    const { cells, element } = this.#form;
    const [open, close] = [`<${element}>`, `</${element}>`];
    const scan = new Scan(text, begun, this.#ids, true);
    let at = begun;
    while (text.startsWith(open, at)) {
      scan.at = at + open.length;
      scan.identity = undefined;
      const record = scan.record(cells, close, 1);
      const isShort = scan.at - at <= LONGEST_RECORD;
      if (record === undefined || !isShort || UNUSUAL.test(text.slice(at, scan.at))) return at;
      records.push({ text: open + record + close, identity: scan.identity });
      at = scan.at;
    }
    return at;
  }

  /** Reads what follows the list, to the end of the document. */
  #isEnd(text: string, at: number, beside: Leaf[]): boolean {
    if (this.#taken === CLOSED) return text === '';
    if (this.#taken === '' || !text.startsWith(this.#end, at)) return false;
    const leaves: Leaf[] = [];
    const isEnd = text.slice(this.#leavesEnd(text, at + this.#end.length, leaves)) === CLOSE_RESPONSE;
    if (isEnd) {
      beside.push(...leaves);
      this.#taken = CLOSED;
    }
    return isEnd;
  }

  /** A second list or a second `Status` is left to the strict reader. */
  #leavesEnd(text: string, from: number, leaves: Leaf[]): number {
    let at = from;
    for (;;) {
      LEAF.lastIndex = at;
      const [leaf = '', name = '', value = ''] = LEAF.exec(text) ?? [];
      if (leaf === '' || name === 'Status' || name === this.#form.container) return at;
      leaves.push([name, value]);
      at += leaf.length;
    }
  }
}

/** The position in a reply that is being read. */
class Scan {
  /** Whether the record read last has an element. */
  hasElements = false;
  /** The record's own identifier as found, in lower case. */
  identity: string | undefined;
  at: number;
  /** Whether what was read last is more than blanks. */
  #isSet = false;
  readonly #text: string;
  readonly #ids: Translation;
  readonly #isListed: boolean;

  /** `isListed`: the identity of each record is needed. */
  constructor(text: string, at: number, ids: Translation, isListed = false) {
    this.#text = text;
    this.at = at;
    this.#ids = ids;
    this.#isListed = isListed;
  }

  /** Elements up to the end tag, written in the order of the rows; undefined: something unusual. */
  record({ byName, absent }: Cells, close: string, depth: number): string | undefined {
    const written = absent.slice();
    let isSet = false;
    let count = 0;
    for (; !this.#text.startsWith(close, this.at); count += 1) {
      const tag = this.#takeTag();
      const isEmpty = tag.endsWith('/');
      const cells = byName.get(isEmpty ? tag.slice(0, -1).trimEnd() : tag);
      const begun = this.at;
      if (cells === undefined || depth > DEEPEST) return undefined;
      for (const cell of cells) {
        this.at = begun;
        const value = isEmpty ? cell.empty : this.#value(cell, depth);
        if (value === undefined) return undefined;
        written[cell.place] = value;
        isSet ||= !isEmpty && this.#isSet;
      }
      if (depth === 1 && this.#isListed) this.#identify(tag, begun);
    }
    this.at += close.length;
    this.#isSet = isSet;
    this.hasElements = count > 0;
    return written.join('');
  }

  /** A record of V3 is identified by its UUID, or by its ID if it has none. */
  #identify(tag: string, begun: number): void {
    if (tag !== 'UUID' && (tag !== 'ID' || this.identity !== undefined)) return;
    this.identity =
      this.#text
        .slice(begun, this.at - tag.length - 3)
        .trim()
        .toLowerCase() || undefined;
  }

  /** What is between the brackets; empty if there is no tag. */
  #takeTag(): string {
    const end = this.#text.indexOf('>', this.at);
    if (end < 0 || this.#text[this.at] !== '<') return '';
    const tag = this.#text.slice(this.at + 1, end);
    this.at = end + 1;
    return tag;
  }

  #value(cell: Cell, depth: number): string | undefined {
    const { row, cells, begin, end, close } = cell;
    if (cells === undefined) return this.#leaf(cell);
    if (row.holds === 'list') return this.#list(cell, cells, depth);
    const record = this.record(cells, close, depth + 1);
    if (record === undefined) return undefined;
    // A nested record that is not set is left out; V3 may write it empty.
    const isChosen = this.#isSet;
    this.#isSet = this.hasElements;
    return isChosen ? begin + record + end : cell.empty;
  }

  #list({ row, begin, end, close, empty }: Cell, cells: Cells, depth: number): string | undefined {
    const child = row.holds === 'list' ? row.child : '';
    const open = `<${child}>`;
    let entries = '';
    while (!this.#text.startsWith(close, this.at)) {
      if (!this.#text.startsWith(open, this.at)) return undefined;
      this.at += open.length;
      const record = this.record(cells, `</${child}>`, depth + 1);
      if (record === undefined) return undefined;
      entries += `${open}${record}</${child}>`;
    }
    this.at += close.length;
    this.#isSet = entries !== '';
    return entries === '' ? empty : begin + entries + end;
  }

  #leaf({ begin, end, close, empty, kind, format, isForeign }: Cell): string | undefined {
    const stop = this.#text.indexOf('<', this.at);
    if (!this.#text.startsWith(close, stop)) return undefined;
    const text = this.#text.slice(this.at, stop);
    this.at = stop + close.length;
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
