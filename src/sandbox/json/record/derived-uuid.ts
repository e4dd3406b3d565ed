import { hashedUuid } from '../../../lib/text/uuid.ts';

/** Derives a UUID that is always the same for a name within a record. */
export const derivedUuid = (within: string, name: string): string => hashedUuid(`${within}\n${name}`, 5);
