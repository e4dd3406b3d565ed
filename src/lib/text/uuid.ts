import { createHash } from 'node:crypto';

/** The form of a UUID, in small letters or capitals. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text has the form of a UUID. */
export const isUuid = (text: string): boolean => UUID.test(text);

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
