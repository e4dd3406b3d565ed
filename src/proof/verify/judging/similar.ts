/** The reason for a similar name, if no value proves it. */
export const NEARLY = 'the name is nearly the same, and nothing else has its place';

/**
 * Whether two names may mean the same: spelled differently, shortened, in the plural, or with a letter
 * changed.
 */
export function isSimilar(one: string, other: string): boolean {
  const [a, b] = [plainName(one), plainName(other)];
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 4 && (long.startsWith(short) || long.endsWith(short))) return true;
  return short.length >= 5 && distance(a, b) <= 2;
}

/** Makes `clientUUID`, `client_uuid` and `ClientId` equal. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/uuid$/, 'id')
    .replace(/(?<=.{3})(?:es|s)$/, '');

/** Number of letters added, removed or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
