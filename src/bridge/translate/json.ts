/** Text that is no JSON, or beyond all reason in depth or number of its parts. Never quotes the text. */
export class JsonFault extends Error {
  constructor(what: 'malformed' | 'too deep' | 'too much') {
    super(`the JSON is ${what}`);
    this.name = 'JsonFault';
  }
}

/** Shapes of the service are four levels deep. */
const MOST_DEPTH = 64;
/** Objects and lists of one answer: so many are a few hundred megabytes. */
const MOST_PARTS = 2_000_000;
/** So many digits every double holds exactly. */
const SAFE_LENGTH = 15;
/** A number written longer than this is left as text without looking closer. */
const WORTH_LOOKING = 40;

/**
 * Reads JSON without losing a digit: a number that a double would change comes back as the text it was written as
 * (`12345678901234567.89`, `1e400`), all others as numbers. A key `__proto__` is a key like others. Throws `JsonFault`.
 */
export function parseJson(text: string): unknown {
  const wide = hasWideNumbers(text);
  try {
    return (wide ? JSON.parse(text, exact) : JSON.parse(text)) as unknown;
  } catch {
    throw new JsonFault('malformed'); // the foreign error quotes the text
  }
}

/** ECMAScript hands the source of a primitive on; the library's types do not know it yet. */
function exact(this: unknown, _key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return isExact(source, value) ? value : source;
}

/** Whether the double means the number that was written. */
function isExact(source: string, value: number): boolean {
  if (source.length > WORTH_LOOKING || !Number.isFinite(value)) return false;
  return canonical(source) === canonical(String(value));
}

/** The same text for the same number: `1.50e3` and `1500` are `15e2`. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const POINT = 0x2e;

/**
 * Whether a number may be in it that a double cannot hold; strings are leapt over. Throws `JsonFault` for what is
 * nested too deep, before anything recursive sees it, and for more objects than memory is to be given for.
 */
function hasWideNumbers(text: string): boolean {
  let depth = 0;
  let parts = 0;
  let wide = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      parts += 1;
      if (depth > MOST_DEPTH) throw new JsonFault('too deep');
      if (parts > MOST_PARTS) throw new JsonFault('too much');
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    } else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      wide ||= end - at > SAFE_LENGTH || isExponent(text.charCodeAt(end));
      at = end - 1;
    }
  }
  return wide;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isExponent = (code: number): boolean => code === 0x65 || code === 0x45;

/** Where the closing quote is; the end of the text where there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from; ;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((at - escapes) % 2 === 0) return at;
  }
}

/** Where digits and point end. */
function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === POINT) at += 1;
  return at;
}
