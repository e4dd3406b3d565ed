import { createHash } from 'node:crypto';

/** Line ends and runs of blanks differ between V1's XML and V2's JSON. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Replaces the identifier for a part of a record that has none: `owner` is the UUID of its record, `texts` are its
 * own. The texts cannot be read from it.
 */
export const partKey = (owner: string, texts: readonly string[]): string =>
  createHash('sha256')
    .update([owner.toLowerCase(), ...texts.map(plain)].join('\0'))
    .digest('hex')
    .slice(0, 32);
