import type { Kind } from './identifier.ts';

/**
 * What a sealed link contains if it leads to an account's own table of numbers and UUIDs rather than to a
 * document: no address of the service begins like this.
 */
const SCHEME = 'id-map:';

/** Sealed into the link of an identifier table instead of a document's address. */
export const idMapAddress = (kind: Kind): string => `${SCHEME}${kind}`;

/** Undefined for the address of a document. */
export function kindOfIdMap(address: string): Kind | undefined {
  return address.startsWith(SCHEME) ? address.slice(SCHEME.length) : undefined;
}
