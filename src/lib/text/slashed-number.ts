/** Parts of a number between its slashes. */
const MOST_PARTS = 8;
/** A letter or a digit somewhere, no dot in front, and nothing that a server could read as more than text. */
const PART = /^(?!\s*\.)(?=.*[\p{L}\p{N}])[^/\\%\p{Cc}]+$/u;

/**
 * Numbers of jobs, invoices, quotes and orders are free text and may hold slashes (`Q25008/2`, `24/A`): in an address
 * that is one segment with `%2F` in it. A server that decodes too early reads a longer path; so that nothing climbs
 * there, no part may be empty, nor begin with a dot, in any of the disguises Unicode has for dots and slashes.
 */
export function isSlashedNumber(segment: string): boolean {
  const parts = segment.split('/');
  if (parts.length < 2 || parts.length > MOST_PARTS) return false;
  const read = segment.normalize('NFKC').split('/');
  return read.length === parts.length && read.every((part) => PART.test(part));
}

/** Nothing but digits behind its first slash: no address that means something else is made of it. */
export const isDigitsBehind = (segment: string): boolean => /^[^/]*(?:\/\d{1,9})*$/.test(segment);
