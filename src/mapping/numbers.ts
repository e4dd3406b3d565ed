/** Exact arithmetic on decimal texts, never with floats. */

/** In characters: the cost of an operation grows faster than the length. */
const LONGEST_WRITTEN = 1_000;
const WRITTEN = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

const PLAIN = /^(-?)(\d+)(?:\.(\d*))?$/;
/** A typical amount: nothing to round and no superfluous zero. */
export const USUAL_AMOUNT = /^(?:0|[1-9]\d{0,17})(?:\.\d\d?)?$/;

/**
 * In characters: longer than any amount, and exact arithmetic with millions of digits would block all other
 * calls for seconds.
 */
const LONGEST_DECIMAL = 10_000;

/** Digits with an optional minus sign and decimal point; surrounding white space is ignored. */
export const isPlainDecimal = (text: string): boolean => PLAIN.test(text.trim());

/**
 * Decimals have two places in the legacy form; the newer platform writes four (`596000.0000`). Exact: digits
 * never become a float. Any other text is left unchanged.
 */
export function twoPlaces(text: string): string {
  if (USUAL_AMOUNT.test(text)) {
    const point = text.indexOf('.');
    return point < 0 ? `${text}.00` : text.padEnd(point + 3, '0');
  }
  const match = text.length > LONGEST_DECIMAL ? null : PLAIN.exec(text.trim());
  if (!match) return text;
  const [, sign = '', whole = '', fraction = ''] = match;
  const padded = fraction.padEnd(2, '0');
  const cents = BigInt(whole + padded.slice(0, 2)) + (padded.charAt(2) >= '5' ? 1n : 0n);
  const digits = cents.toString().padStart(3, '0');
  return `${cents === 0n ? '' : sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `a - b` with two places. Throws `RangeError` unless both are plain decimals. */
export function differenceOf(a: string, b: string): string {
  const places = Math.max(placesOf(a), placesOf(b));
  return twoPlaces(scaled(unitsOf(a, places) - unitsOf(b, places), places));
}

/** The product of plain decimals with two places, rounded half away from zero. Throws `RangeError` for anything else. */
export function productOf(factors: readonly string[]): string {
  const places = factors.reduce((sum, factor) => sum + placesOf(factor), 0);
  const units = factors.reduce((product, factor) => product * unitsOf(factor, placesOf(factor)), 1n);
  return twoPlaces(scaled(units, places));
}

/** The sum of plain decimals, with as many places as the finest has and at least two; `0.00` for none. */
export function sumOf(summands: readonly string[]): string {
  const places = Math.max(2, ...summands.map(placesOf));
  return scaled(
    summands.reduce((sum, summand) => sum + unitsOf(summand, places), 0n),
    places,
  );
}

/**
 * A JSON number, or its text, without an exponent: `1e-7` is `0.0000001`. Undefined if it is not a number,
 * has an exponent beyond 999, or is longer than any meaningful number.
 */
export function decimalText(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const text = String(value);
  if (text.length > LONGEST_WRITTEN) return undefined;
  const [match, sign = '', whole = '', fraction = '', exponent] = WRITTEN.exec(text.trim()) ?? [];
  if (match === undefined || exponent === undefined) return match;
  const places = fraction.length - Number(exponent);
  const units = BigInt(`${whole}${fraction}`) * 10n ** BigInt(Math.max(0, -places));
  return scaled(sign === '' ? units : -units, Math.max(0, places));
}

const placesOf = (text: string): number => text.trim().split('.')[1]?.length ?? 0;

function unitsOf(text: string, places: number): bigint {
  if (!isPlainDecimal(text)) throw new RangeError('this is no plain decimal');
  const [whole = '', fraction = ''] = text.trim().split('.');
  return BigInt(`${whole}${fraction.padEnd(places, '0')}`);
}

/** An integer in units of 10^-`places`, as decimal text. */
function scaled(units: bigint, places: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
