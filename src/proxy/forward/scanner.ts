/**
 * Rewrites V3 replies without a parser: nearly every reply is plain, and checking that costs a fraction of an event per
 * tag. Text between elements that differ is copied.
 *
 * The plain form is compiled from the table of the record (`plain-form.ts`). The scanner handles only what it can write
 * exactly as the strict reader and the writer would (`reply.ts`, `lib/xml/writer.ts`): elements in the order of the
 * table, without attributes, text with no references but `&amp;`, `&lt;` and `&gt;`, identifiers that are in memory. At
 * anything else it gives up, and the strict reader reads a single record from its start, or a list from the record that
 * is not plain (`list-scan.ts`). So only one reader decides what is refused, and a property test checks that both
 * produce the same bytes.
 */
import { isUtf8 } from 'node:buffer';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import { escapeText } from '../../lib/xml/text.ts';
import type { RecordTable } from '../../mapping/compile/model.ts';
import type { Translation } from '../identifiers.ts';
import {
  PLAIN_LEAF,
  PLAIN_TEXT,
  plainForm,
  type PlainElement,
  type PlainForm,
  type Run,
  type Written,
} from './plain-form.ts';

/** In characters: no record up to this length exceeds the limits of the strict reader. */
export const LONGEST_RECORD = 65_536;
/** The beginning of a plain reply. */
export const HEAD =
  /^(?:<\?xml version="1\.0" encoding="UTF-8"\?>(?:\r\n)?)?<Response(?: api-method="[A-Za-z]+")?><Status>OK<\/Status>/;
/** Nesting of records; the strict reader allows more. */
const DEEPEST = 16;
/** Text between tags that is not blank. */
const SET = />[^\S<]*[^\s<]/;

/** Compiled once for each method whose reply is one record. */
export class ReplyScanner {
  readonly #form: PlainForm;

  constructor(element: string, table: RecordTable) {
    this.#form = plainForm(element, table);
  }

  /** The reply in the legacy form, beginning with `open`; undefined: the strict reader has to read it. */
  scan(reply: Buffer | undefined, ids: Translation, open: string): string | undefined {
    if (reply === undefined || reply.length > LONGEST_RECORD || !isUtf8(reply)) return undefined;
    const text = reply.toString('utf8');
    const head = HEAD.exec(text)?.[0].length;
    if (head === undefined) return undefined;
    const reader = new PlainReader(text, head, ids);
    const record = reader.record(this.#form);
    const isWhole = text.endsWith(CLOSE_RESPONSE) && reader.at === text.length - CLOSE_RESPONSE.length;
    return isWhole && record !== undefined ? open + record + CLOSE_RESPONSE : undefined;
  }
}

/** A position in a document, from which records are read one after the other. */
export class PlainReader {
  /** After the last record read, or at the start of one that is not plain. */
  at: number;
  /** The last record's own identifier as found, in lower case. */
  identity: string | undefined;
  readonly #text: string;
  readonly #ids: Translation;
  #out = '';
  /** The start of the text that is not in `out` yet. */
  #from = 0;
  /** Whether the last record has an element, and one that is not blank. */
  #hasElements = false;
  #isSet = false;
  /** Whether neighbouring elements are read one by one. */
  #isCareful = false;
  /** The UUID of the record that is being read, if its row comes later. */
  #early: string | undefined;

  constructor(text: string, at: number, ids: Translation) {
    this.#text = text;
    this.at = at;
    this.#ids = ids;
  }

  /** The record that begins here, in the legacy form; undefined: it is not plain, or has no element. */
  record(form: PlainForm): string | undefined {
    const begun = this.at;
    for (const isCareful of [false, true]) {
      this.#isCareful = isCareful;
      this.#out = '';
      this.#from = begun;
      this.identity = undefined;
      if (this.#takes(form.tags.begin) && this.#inner(form, 1, false) && this.#hasElements)
        return this.#out + this.#text.slice(this.#from, this.at);
      this.at = begun;
    }
    return undefined;
  }

  /**
   * Reads from after the start tag to after the end tag; false: the record is not plain. `isAsked`: the caller needs to
   * know whether the record is set.
   */
  #inner({ tags, parts, names }: PlainForm, depth: number, isAsked: boolean): boolean {
    const begun = this.at;
    const outer = this.#early;
    let isSet = false;
    if (depth > DEEPEST) return false;
    this.#early = undefined;
    for (const part of parts) {
      this.#isSet = false;
      if (!('pattern' in part ? this.#run(part, depth, isAsked && !isSet) : this.#element(part, depth)))
        return false;
      isSet ||= this.#isSet;
    }
    this.#early = outer;
    if (!this.#text.startsWith(tags.end, this.at)) isSet = this.#leaveOut(names) || isSet;
    this.#hasElements = this.at > begun;
    this.#isSet = isSet;
    return this.#takes(tags.end);
  }

  /** Skips elements that no row reads; notes whether one is not blank. */
  #leaveOut(names: ReadonlySet<string>): boolean {
    const begun = this.at;
    let isSet = false;
    for (;;) {
      PLAIN_LEAF.lastIndex = this.at;
      const [leaf, name = '', text = ''] = PLAIN_LEAF.exec(this.#text) ?? [];
      if (leaf === undefined || names.has(name)) break;
      isSet ||= text.trim() !== '';
      this.at += leaf.length;
    }
    this.#replace(begun, '');
    return isSet;
  }

  #run({ elements, pattern }: Run, depth: number, isAsked: boolean): boolean {
    const begun = this.at;
    pattern.lastIndex = begun;
    if (!this.#isCareful) {
      if (!pattern.test(this.#text)) return false;
      this.at = pattern.lastIndex;
      this.#isSet = isAsked && SET.test(this.#text.slice(begun, this.at));
      return true;
    }
    let isSet = false;
    for (const element of elements) {
      this.#isSet = false;
      if (!this.#element(element, depth)) return false;
      isSet ||= this.#isSet;
    }
    this.#isSet = isSet;
    return true;
  }

  #element(part: PlainElement, depth: number): boolean {
    const begun = this.at;
    if (part.holds === 'late' && this.#early !== undefined) return this.#write(part, this.#early, begun);
    if (this.#takes(part.tags.begin)) return this.#content(part, begun, depth);
    if (part.emptyTags.some((tag) => this.#takes(tag))) {
      this.#replace(begun, part.empty);
      return true;
    }
    if (part.absent === undefined) return false;
    if (part.absent !== '') this.#replace(begun, part.absent);
    return true;
  }

  #content(part: PlainElement, begun: number, depth: number): boolean {
    const { of, holds } = part;
    if (of === undefined) return this.#value(part, begun, depth);
    return holds === 'list' ? this.#list(part, of, begun, depth) : this.#one(part, of, begun, depth);
  }

  #value(part: PlainElement, begun: number, depth: number): boolean {
    const text = this.#textHere();
    if (!this.#takes(part.tags.end)) return false;
    if (depth === 1 && part.name !== 'other') {
      if (text.includes('&')) return false;
      // A record of V3 is identified by its UUID, or by its ID if it has none.
      if (part.name === 'UUID' || this.identity === undefined)
        this.identity = text.trim().toLowerCase() || undefined;
    }
    if (part.holds === 'early') this.#early = text;
    this.#isSet = text.trim() !== '';
    return this.#write(part, text, begun);
  }

  #write({ written }: PlainElement, text: string, begun: number): boolean {
    let all = '';
    for (const one of written) {
      const value = this.#written(one, text);
      if (value === undefined) return false;
      all += value;
    }
    this.#replace(begun, all);
    return true;
  }

  #textHere(): string {
    PLAIN_TEXT.lastIndex = this.at;
    PLAIN_TEXT.test(this.#text);
    const text = this.#text.slice(this.at, PLAIN_TEXT.lastIndex);
    this.at = PLAIN_TEXT.lastIndex;
    return text;
  }

  #written({ begin, end, empty, kind, format, isForeign }: Written, text: string): string | undefined {
    if (kind !== undefined) {
      const number = text.includes('&') ? undefined : this.#ids.remembered(kind, text.trim());
      return number === '' ? empty : number && begin + number + end;
    }
    if (text === '') return empty;
    if (isForeign || (format !== undefined && text.includes('&'))) return undefined;
    const formatted = format === undefined ? text : format(text);
    if (formatted === '') return empty;
    return begin + (formatted === text ? text : escapeText(formatted)) + end;
  }

  #one(part: PlainElement, of: PlainForm, begun: number, depth: number): boolean {
    const [out, from] = [this.#out, this.#from];
    this.#rename(part, begun, part.written[0]?.begin);
    if (!this.#inner(of, depth + 1, true)) return false;
    // A nested record that is not set is left out; V3 may write it empty.
    if (this.#isSet) this.#rename(part, this.at - part.tags.end.length, part.written[0]?.end);
    else this.#replaceAll(begun, part.empty, out, from);
    this.#isSet = this.#hasElements;
    return true;
  }

  #list(part: PlainElement, of: PlainForm, begun: number, depth: number): boolean {
    const [out, from, first] = [this.#out, this.#from, this.at];
    this.#rename(part, begun, part.written[0]?.begin);
    while (this.#takes(of.tags.begin)) if (!this.#inner(of, depth + 1, false)) return false;
    const end = this.at;
    if (!this.#takes(part.tags.end)) return false;
    this.#isSet = end > first;
    if (this.#isSet) this.#rename(part, end, part.written[0]?.end);
    else this.#replaceAll(begun, part.empty, out, from);
    return true;
  }

  #rename({ isRenamed }: PlainElement, begun: number, tag = ''): void {
    if (isRenamed) this.#replace(begun, tag);
  }

  /** Replaces everything written since `begun`; `out` and `from` as they were then. */
  #replaceAll(begun: number, by: string, out: string, from: number): void {
    [this.#out, this.#from] = [out, from];
    this.#replace(begun, by);
  }

  #takes(tag: string): boolean {
    const isHere = this.#text.startsWith(tag, this.at);
    if (isHere) this.at += tag.length;
    return isHere;
  }

  /** Writes `by` in place of the text from `begun` to here. */
  #replace(begun: number, by: string): void {
    this.#out += this.#text.slice(this.#from, begun) + by;
    this.#from = this.at;
  }
}
