/**
 * Reads V2's JSON exactly, within limits, and without delaying other calls.
 *
 * Numbers that a double would change are returned as written, because amounts and record numbers must not lose a digit.
 * A scanner (`json-scan.ts`) cuts a list into batches, and each batch is parsed when it is needed; the cuts are
 * checked, so that the batches together are as strict as reading the whole at once. Anything larger than `MOST_AT_ONCE`
 * that is not a list is refused.
 */
import { nextTurn } from '../../../lib/time/turn.ts';
import { isObject } from '../../../mapping/compile/path.ts';
import { exact } from './exact-number.ts';
import { JsonFault, JsonScan, MOST_AT_ONCE, MOST_DEPTH } from './json-scan.ts';

/**
 * Reads JSON without losing a digit: a number that a double would change is returned as the text it was written as
 * (`12345678901234567.89`, `1e400`), all others as numbers. A key `__proto__` is an ordinary key. Throws `JsonFault`,
 * also for more than `MOST_AT_ONCE`.
 */
export function parseJson(text: string): unknown {
  if (text.length <= SHORT && '{['.includes(text.charAt(0)) && !MAYBE_WIDE.test(text)) {
    const value = parsed(text, false);
    if (mayBeDeep(text) && isDeeper(value, MOST_DEPTH)) throw new JsonFault('too deep');
    return value;
  }
  checkSize(text.length);
  const scan = new JsonScan();
  scan.take(text, true);
  return parsed(text, scan.wide);
}

/** A text this short cannot exceed the limits of one read: only its depth and its numbers need checking. */
export const SHORT = 32_768;
/**
 * What looks like a number with an exponent or with many digits; only a scan can tell whether it is inside a string.
 * Searching is much quicker, and nearly every answer with one record has nothing of the kind.
 */
const MAYBE_WIDE = /[[,:][-\d\s](?:[\s-]*[\d.]{15}|[\s\d.-]*(?<=\d)[eE])/;

/** Counts brackets, including those in strings: nearly every answer with one record has few. */
function mayBeDeep(text: string): boolean {
  let opened = 0;
  for (const bracket of '{[')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) opened += 1;
  return opened > MOST_DEPTH;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}

/** Throws `JsonFault` for more bytes, or characters, than are read at once. */
export function checkSize(size: number): void {
  if (size > MOST_AT_ONCE.bytes) throw new JsonFault('too much');
}

function parsed(text: string, wide: boolean): unknown {
  try {
    return (wide ? JSON.parse(text, exact) : JSON.parse(text)) as unknown;
  } catch {
    throw new JsonFault('malformed'); // the original error quotes the text
  }
}

/**
 * A list that is read a few entries at a time: all objects of a page, with its text, would outlive V8's young
 * generation.
 */
export interface JsonList {
  /** The JSON around it, with the list empty; undefined if the list is the whole JSON. */
  readonly around: Readonly<Record<string, unknown>> | undefined;
  readonly length: number;
  /** Throws `JsonFault`. */
  batches(): Generator<readonly unknown[], undefined>;
}

/**
 * The list that the JSON is, or that it has under the key `data`; undefined if there is none, or if only reading the
 * whole JSON can tell. Reading it later is as strict as `parseJson`. `bytes`: UTF-8. Throws `JsonFault`.
 */
export async function readList(bytes: Buffer): Promise<JsonList | undefined> {
  const { wide, list } = await scanned(bytes);
  if (list?.end === undefined || list.again) return undefined;
  const { begin, end } = list;
  const text = (from: number, to: number): string => {
    checkSize(to - from);
    return bytes.toString('utf8', from, to);
  };
  const around = parsed(text(0, begin) + JSON.stringify(STAND_IN) + text(end, bytes.length), wide);
  if (around !== STAND_IN && (!isObject(around) || around.data !== STAND_IN)) return undefined;
  const cuts = [...list.cuts, end - 1];
  const length = list.commas === 0 && text(begin + 1, end - 1).trim() === '' ? 0 : list.commas + 1;
  return {
    around: isObject(around) ? { ...around, data: [] } : undefined,
    length,
    *batches(): Generator<readonly unknown[], undefined> {
      let from = begin + 1;
      let left = length;
      for (const cut of length === 0 ? [] : cuts) {
        const rows = parsed(`[${text(from, cut)}]`, wide) as readonly unknown[];
        from = cut + 1;
        left -= rows.length;
        // A comma with nothing before or after it, at a cut.
        if (rows.length === 0 || (from === end && left !== 0)) throw new JsonFault('malformed');
        yield rows;
      }
      return undefined;
    },
  };
}

/** A placeholder that no service would send in place of a list. */
const STAND_IN = 'the list stood here';

/** Bytes of a text scanned at once. */
const WINDOW = 65_536;
/** More than a usual page. */
const PER_TURN = 4 * WINDOW;

/**
 * Scans a window at a time, because the text of a whole page would outlive V8's young generation, and gives other calls
 * a turn between some of them.
 */
async function scanned(bytes: Buffer): Promise<JsonScan> {
  const scan = new JsonScan();
  let size = WINDOW;
  let turn = PER_TURN;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + size, bytes.length);
    // Only ASCII is searched for, and no byte of another character is ASCII.
    const taken = scan.take(bytes.toString('latin1', at, end), end === bytes.length);
    turn -= size;
    if (taken === 0) checkSize(size);
    size = taken === 0 ? 2 * size : WINDOW; // a string that is longer than the window
    at += taken;
    if (turn > 0) continue;
    turn = PER_TURN;
    await nextTurn();
  }
  return scan;
}
