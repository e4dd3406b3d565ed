import type { Seal } from './seal.ts';
import { Secret } from './secret.ts';

/** The value as JSON, sealed. */
export const sealJson = (seal: Pick<Seal, 'seal'>, value: unknown, owner: string, column: string): string =>
  seal.seal(new Secret(JSON.stringify(value)), owner, column);

/** What was sealed: only this program can have, so its type is known. Throws `SealBroken`. */
export const openJson = (seal: Pick<Seal, 'open'>, sealed: string, owner: string, column: string): unknown =>
  JSON.parse(seal.open(sealed, owner, column).reveal());
