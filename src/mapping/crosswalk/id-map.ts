import type { Kind } from './identifier.ts';

/**
 * What a sealed link stands for where it leads to an account's own table of numbers and UUIDs, and not to a document
 * of the service: no address of the service begins like this.
 */
const SCHEME = 'id-map:';

/** What is sealed into the link of an identifier table instead of the address of a document. */
export const idMapAddress = (kind: Kind): string => `${SCHEME}${kind}`;

/** undefined for the address of a document. */
export function kindOfIdMap(address: string): Kind | undefined {
  return address.startsWith(SCHEME) ? address.slice(SCHEME.length) : undefined;
}
