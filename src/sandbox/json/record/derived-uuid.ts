import { createHash } from 'node:crypto';

/** Derives a UUID that is always the same for a name within a record. */
export const derivedUuid = (within: string, name: string): string => hashedUuid(`${within}\n${name}`, 5);

/** Derives a UUID that is always the same for a text. `version`: the first digit of its third part. */
export function hashedUuid(text: string, version: 4 | 5): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `${version}${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
