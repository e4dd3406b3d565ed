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
   * (lookups try all). `purpose` separates the key spaces: `account-key`, `api-key`, `invitation`, `state`.
   */
  index(value: Secret, purpose: string): readonly string[];
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
