/** Characters that XML 1.0 forbids in any form. With the `u` flag a surrogate matches only if it is alone. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/gu;

const NEEDS_CARE = /[&<>\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/u;

const REPLACEMENT = '\uFFFD';

/** The value with U+FFFD for every character that XML 1.0 forbids, which no reader would accept. */
export function replaceForbidden(value: string): string {
  return value.replace(FORBIDDEN, REPLACEMENT);
}

/** How many characters of the value `escapeText` and `escapeAttribute` replace by U+FFFD. */
export function countForbidden(value: string): number {
  return value.match(FORBIDDEN)?.length ?? 0;
}

/**
 * Text as the legacy service wrote it: only `&`, `<` and `>` escaped, line breaks literal (a reader takes CR
 * LF and CR for LF, as it always has), forbidden characters as U+FFFD.
 */
export function escapeText(value: string): string {
  if (!NEEDS_CARE.test(value)) return value;
  return replaceForbidden(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Like `escapeText`, also escaping the quotation mark; line breaks and tabs as references, because a reader
 * turns them into spaces.
 */
export function escapeAttribute(value: string): string {
  return escapeText(value)
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}
