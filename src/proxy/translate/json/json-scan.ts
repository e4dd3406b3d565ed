/**
 * What can be said about JSON before it is parsed: how deep it is, whether it has numbers that a double would change,
 * where its list is and where the list can be cut. Looks for brackets, commas and digits outside strings.
 */
import { SAFE_LENGTH } from './exact-number.ts';

/** Text that is not JSON, or unreasonably deep or large. Never quotes the text. */
export class JsonFault extends Error {
  readonly what: 'malformed' | 'too deep' | 'too much';

  constructor(what: JsonFault['what']) {
    super(`the JSON is ${what}`);
    this.name = 'JsonFault';
    this.what = what;
  }
}

/** The service's structures are four levels deep. */
export const MOST_DEPTH = 64;
/** The limit on objects and lists of one answer: this many take a few hundred megabytes. */
const MOST_PARTS = 2_000_000;

/**
 * The limit on JSON parsed at once, while all other calls wait: one record, or an answer that is not a list. A long
 * text costs 2 ms per MiB, a hundred thousand values about 40 ms (two cores, Node 24.21.0); a record of the service has
 * a few hundred.
 */
export const MOST_AT_ONCE = { bytes: 8 * 1_048_576, values: 100_000 } as const;
/**
 * The same if a double may change a number: then every value is compared with its text (1 µs each), and such a number
 * takes as long as four others.
 */
const MOST_WITH_TEXT = 25_000;
const LONG_NUMBER = 4;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const POINT = 0x2e;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Bytes of a list read at once. */
const BATCH = 65_536;

/** A list whose entries can be read one after the other. */
interface FoundList {
  /** Position of its opening bracket, and the depth of its entries. */
  readonly begin: number;
  readonly depth: number;
  /** Position after its closing bracket; undefined until that has come, or if it does not match. */
  end: number | undefined;
  commas: number;
  /** Some of the commas between its entries. */
  readonly cuts: number[];
  /** Another list has the same name. */
  again: boolean;
}

/** What can be said about JSON without parsing it; strings are skipped. */
export class JsonScan {
  /** It may contain a number that a double cannot hold. */
  wide = false;
  list: FoundList | undefined;
  #taken = 0;
  #depth = 0;
  #parts = 0;
  /** Values since the last cut of the list. */
  #values = 0;
  /** How much of the text before a list has been seen: its key, the colon after it. */
  #before: 'nothing' | 'key' | 'colon' = 'nothing';

  /**
   * Scans a part of the text and returns how much of it could be decided; the rest must be passed again with more text
   * after it. Throws `JsonFault` for text that is nested too deeply, before anything recursive sees it, and for more
   * objects than may be kept in memory.
   */
  take(text: string, isLast: boolean): number {
    let at = 0;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = endOfString(text, at);
        if (end === text.length && !isLast) break;
        this.#string(text, at, end);
        at = end;
      } else if (isDigit(code)) {
        const end = endOfNumber(text, at);
        if (end === text.length && !isLast && end - at <= SAFE_LENGTH) break;
        if (end - at > SAFE_LENGTH || isExponent(text.charCodeAt(end))) this.#longNumber();
        at = end - 1;
      } else if (code === COMMA) {
        this.#value();
        if (this.list?.depth === this.#depth) this.#comma(this.list, this.#taken + at);
      } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        this.#open(code, this.#taken + at);
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        this.#close(code, this.#taken + at);
      } else if (code === COLON && this.#before === 'key') {
        this.#before = 'colon';
      }
    }
    const taken = Math.min(at, text.length);
    this.#taken += taken;
    return taken;
  }

  #string(text: string, begin: number, end: number): void {
    // In a list that is the whole JSON, anything at this depth is an entry.
    const isField = this.#depth === 1 && this.list?.depth !== 1;
    const isKey = isField && end - begin === 5 && text.startsWith('data', begin + 1);
    this.#before = isKey ? 'key' : 'nothing';
    if (isKey && this.list !== undefined) this.list.again = true;
  }

  #comma(list: FoundList, at: number): void {
    if (list.end !== undefined) return;
    list.commas += 1;
    if (at - (list.cuts.at(-1) ?? list.begin) < BATCH) return;
    list.cuts.push(at);
    this.#values = 0;
  }

  #longNumber(): void {
    this.wide = true;
    this.#value(LONG_NUMBER - 1); // the comma or bracket before it counts as well
  }

  #value(weight = 1): void {
    this.#values += weight;
    if (this.#values > (this.wide ? MOST_WITH_TEXT : MOST_AT_ONCE.values)) throw new JsonFault('too much');
  }

  #open(code: number, at: number): void {
    const isList = code === OPEN_LIST && (this.#depth === 0 || this.#before === 'colon');
    if (isList && this.list === undefined)
      this.list = { begin: at, depth: this.#depth + 1, end: undefined, commas: 0, cuts: [], again: false };
    this.#before = 'nothing';
    this.#depth += 1;
    this.#parts += 1;
    this.#value();
    if (this.#depth > MOST_DEPTH) throw new JsonFault('too deep');
    if (this.#parts > MOST_PARTS) throw new JsonFault('too much');
  }

  #close(code: number, at: number): void {
    const { list } = this;
    if (list?.depth === this.#depth && list.end === undefined && code === CLOSE_LIST) list.end = at + 1;
    this.#depth -= 1;
  }
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isExponent = (code: number): boolean => code === 0x65 || code === 0x45;

/** Position of the closing quote; the end of the text if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from; ;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((at - escapes) % 2 === 0) return at;
  }
}

/** The position after digits and point. */
function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === POINT) at += 1;
  return at;
}
