import type { Kind } from './identifier.ts';

/**
 * The content of a sealed link that leads to an account's own table of numbers and UUIDs rather than to a
 * document: no address of the service begins like this.
 */
const SCHEME = 'id-map:';

/** The address in the link of an identifier table, in place of a document's. */
export const idMapAddress = (kind: Kind): string => `${SCHEME}${kind}`;

/** Returns undefined for the address of a document. */
export function kindOfIdMap(address: string): Kind | undefined {
  return address.startsWith(SCHEME) ? address.slice(SCHEME.length) : undefined;
}
