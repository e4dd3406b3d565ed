import type { Secret } from './secret.ts';

/**
 * Sealing of secrets at rest: AES-256-GCM; owner and column are associated data, so that rows cannot be
 * swapped.
 */
export interface Seal {
  /** `keyId:nonce:ciphertext:tag`, each part base64url. */
  seal(value: Secret, owner: string, column: string): string;
  /** Throws `SealBroken` unless key, owner and column are those it was sealed with. */
  open(sealed: string, owner: string, column: string): Secret;
  /**
   * Keyed hashes for looking up a secret: the first is by the sealing key (store this one), the others by older keys
   * (lookups try all).
   */
  index(value: Secret, purpose: IndexPurpose): readonly string[];
}

/** The key spaces of the hashes. A renamed one would find no value that was stored under the old name. */
export type IndexPurpose =
  | 'account-key'
  | 'api-key'
  | 'browser'
  | 'choice'
  | 'console-session'
  | 'console-token'
  | 'document'
  | 'idempotency-key'
  | 'invitation'
  | 'refresh-token'
  | 'sample'
  | 'sample-request'
  | 'state'
  | 'status-link'
  | 'stranger'
  | 'unsubscribe'
  | 'write';

/** The index that is stored; lookups also try those of older keys. */
export function storedIndex(seal: Pick<Seal, 'index'>, value: Secret, purpose: IndexPurpose): string {
  const [index] = seal.index(value, purpose);
  if (index === undefined) throw new Error('the seal has no key');
  return index;
}

/**
 * A sealed value cannot be opened: it was sealed with a key that is not configured, or copied from another
 * row.
 */
export class SealBroken extends Error {
  constructor(owner: string, column: string) {
    super(`the sealed ${column} of ${owner} cannot be opened: another key or another owner`);
    this.name = 'SealBroken';
  }
}
