/**
 * Scans the pages of a V3 list as they arrive: their records by `scanner.ts`, and the elements beside the list. From the
 * first record that is not plain the strict reader continues (`list-answer.ts`).
 */
import { isUtf8 } from 'node:buffer';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import type { Translation } from '../identifiers.ts';
import type { PlainForm } from './plain-form.ts';
import { HEAD, LONGEST_RECORD, PlainReader } from './scanner.ts';

const EMPTY = Buffer.alloc(0);
/** The start of the document that the strict reader gets when it takes over a list. */
const OPEN = '<Response><Status>OK</Status>';
/** An element beside the list, usually a count. */
const LEAF = /<([A-Za-z]+)>([^<>&\u0000-\u001f\ufffe\uffff]*)<\/\1>/y;

type Leaf = readonly [name: string, text: string];
/** A record of a list in the legacy form, and the identifier by which repeated records are found. */
export interface ListRecord {
  readonly text: string;
  readonly identity: string | undefined;
}

/** The contents of a part of a page: records, and the leaf elements beside the list. */
export interface ListPart {
  readonly records: readonly ListRecord[];
  readonly beside: readonly Leaf[];
}

/** How the lists of a method are scanned. */
export interface ListForm {
  readonly container: string;
  readonly record: PlainForm;
}

/** One page of a list, scanned as it arrives. */
export class ListScan {
  /** Something is not plain, so the strict reader must continue with `left`. */
  isUnusual = false;
  readonly #form: ListForm;
  readonly #ids: Translation;
  /** Equivalent to a document of which every record has been taken. */
  readonly #closed: string;
  #rest: Buffer = EMPTY;
  /** A short equivalent of the text read so far; empty until the list begins. */
  #taken = '';
  #end = ''; // closes the list; empty if the list is an empty element

  constructor(form: ListForm, ids: Translation) {
    this.#form = form;
    this.#ids = ids;
    this.#closed = `${OPEN}<${form.container} />${CLOSE_RESPONSE}`;
  }

  /** The unread rest, as a document with an equivalent beginning. */
  get left(): Buffer {
    return Buffer.concat([Buffer.from(this.#taken), this.#rest]);
  }

  /** Returns the records that have arrived completely. `isEnd`: this is the last piece. */
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
    const close = this.#form.record.tags.end;
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
    this.#taken = OPEN + begin;
    this.#end = isEmpty ? '' : `</${container}>`;
    return at + begin.length;
  }

  /** The position at which the last plain record ends. */
  #records(text: string, begun: number, records: ListRecord[]): number {
    if (this.#end === '') return begun;
    const reader = new PlainReader(text, begun, this.#ids);
    for (let at = begun; ; at = reader.at) {
      const record = reader.record(this.#form.record);
      if (record === undefined || reader.at - at > LONGEST_RECORD) return at;
      records.push({ text: record, identity: reader.identity });
    }
  }

  /** Reads what follows the list, to the end of the document. */
  #isEnd(text: string, at: number, beside: Leaf[]): boolean {
    if (this.#taken === this.#closed) return text === '';
    if (this.#taken === '' || !text.startsWith(this.#end, at)) return false;
    const leaves: Leaf[] = [];
    const isEnd = text.slice(this.#leavesEnd(text, at + this.#end.length, leaves)) === CLOSE_RESPONSE;
    if (isEnd) {
      beside.push(...leaves);
      this.#taken = this.#closed;
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
