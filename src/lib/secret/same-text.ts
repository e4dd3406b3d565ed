import { timingSafeEqual } from 'node:crypto';

/**
 * Compares secrets of equal length in constant time, so that none can be guessed byte by byte. Two empty texts do not
 * count as equal.
 */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && a.length > 0 && timingSafeEqual(a, b);
}
