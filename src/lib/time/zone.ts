/** Readable times in a zone of the IANA database, such as `Pacific/Auckland`. */

/**
 * Returns true for a zone that this Node knows. The usual zone is not checked: with the first format Node loads its
 * tables of times (8 MB, 7 ms).
 */
export function isZone(zone: string): boolean {
  if (zone === 'UTC') return true;
  try {
    minutesIn(zone);
    return true;
  } catch {
    return false;
  }
}

const mainNames = new Map<string, string>();

/** The name that Node uses for the zone: `Pacific/Auckland` for `NZ`; the zone itself if Node does not know it. */
export function mainName(zone: string): string {
  if (zone === 'UTC') return zone;
  const known = mainNames.get(zone);
  if (known !== undefined) return known;
  const name = isZone(zone)
    ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
    : zone;
  mainNames.set(zone, name);
  return name;
}

/**
 * The zone in the usual spelling: `Europe/Berlin` for `europe/berlin`. One of its other names, such as `Asia/Kolkata` for
 * Node's `Asia/Calcutta`, remains as it was given.
 */
export function spelledZone(zone: string): string {
  const name = mainName(zone);
  return name.toLowerCase() === zone.toLowerCase() ? name : zone;
}

const minutes = new Map<string, (at: number) => string>();

/**
 * Writes `2026-11-20 16:20`, which sorts and fits into a column. Formats are cached by zone, because creating one takes
 * longer than thousands of uses.
 */
export function minutesIn(zone: string): (at: number) => string {
  const known = minutes.get(zone);
  if (known !== undefined) return known;
  // Swedish dates are those of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: zone });
  const write = (at: number): string => format.format(at);
  minutes.set(zone, write);
  return write;
}

/** Writes `2026-11-20 16:20:05`: zones are offset by whole minutes. */
export const secondIn = (zone: string, at: number): string =>
  `${minutesIn(zone)(at)}:${new Date(at).toISOString().slice(17, 19)}`;

/** The date, written out: `20 December 2026`. */
export const dayIn = (zone: string, locale: string, at: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone }).format(at);

/** Date, time and zone: `20 December 2026 at 23:05 NZDT`. */
export const momentIn = (zone: string, locale: string, at: number): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
    timeZoneName: 'short',
  }).format(at);
