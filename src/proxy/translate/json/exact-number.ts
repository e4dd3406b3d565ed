/** Every double holds this many digits exactly. */
export const SAFE_LENGTH = 15;
/** A longer number is left as text without further checks. */
const WORTH_LOOKING = 40;

/**
 * For `JSON.parse`: the number, or its text if a double would be a different number. ECMAScript passes the
 * source of a primitive; the library's types do not have it yet.
 */
export function exact(
  this: unknown,
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  if (source.length <= SAFE_LENGTH && !/e/i.test(source)) return value;
  return isExact(source, value) ? value : source;
}

/** Whether the double equals the number as written. */
function isExact(source: string, value: number): boolean {
  if (source.length > WORTH_LOOKING || !Number.isFinite(value)) return false;
  return canonical(source) === canonical(String(value));
}

/** One text for each number: `1.50e3` and `1500` are both `15e2`. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}
