import { createHash } from 'node:crypto';

/** Always the same for the same name within the same record. */
export function derivedUuid(within: string, name: string): string {
  const digits = createHash('sha256').update(`${within}\n${name}`).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
