/** The limit on parts of a number between its slashes. */
const MOST_PARTS = 8;
/** At least one letter or digit, no leading dot, and nothing that a server could take for more than text. */
const PART = /^(?!\s*\.)(?=.*[\p{L}\p{N}])[^/\\%\p{Cc}]+$/u;

/**
 * Numbers of jobs, invoices, quotes and orders are free text and may contain slashes (`Q25008/2`, `24/A`): in an
 * address such a number is one segment with `%2F` in it. A server that decodes too early reads a longer path. To
 * prevent an escape from the path, no part may be empty or begin with a dot, in any of the disguises that Unicode has
 * for dots and slashes.
 */
export function isSlashedNumber(segment: string): boolean {
  const parts = segment.split('/');
  if (parts.length < 2 || parts.length > MOST_PARTS) return false;
  const read = segment.normalize('NFKC').split('/');
  return read.length === parts.length && read.every((part) => PART.test(part));
}

/** Only digits after the first slash: it cannot become an address with another meaning. */
export const isDigitsBehind = (segment: string): boolean => /^[^/]*(?:\/\d{1,9})*$/.test(segment);
