import type { Clock } from '../../lib/time/clock.ts';
import type { KeyRing } from '../../tokens/sealing/keyring.ts';
import { decrypt, encrypt } from '../../tokens/sealing/keyring.ts';

const PURPOSE = 'links';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** In characters. Anything longer is not our link: the service's addresses are far shorter. */
const LONGEST = 8_192;

/** What a signed bridge address stands for: a document of one account, for a limited time. */
export interface LinkPayload {
  readonly accountId: string;
  readonly url: string;
  /** Who named the address and is asked for the document. Default: V3. */
  readonly lane?: 'v2' | 'v3' | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Tokens inside the bridge's own document addresses. They are encrypted, not only signed: the service's
 * address may itself open the document, and it must not get into the legacy program's logs.
 */
export class LinkSeal {
  readonly #ring: KeyRing;
  readonly #clock: Clock;

  constructor(ring: KeyRing, clock: Clock) {
    this.#ring = ring;
    this.#clock = clock;
  }

  /** URL-safe: only letters, digits, `-` and `_`. */
  make(payload: LinkPayload): string {
    const [key] = this.#ring.derived(PURPOSE);
    if (key === undefined) throw new Error('the key ring is empty');
    const { accountId, url, lane, expiresAt } = payload;
    const { nonce, ciphertext, tag } = encrypt(key, JSON.stringify({ accountId, url, lane, expiresAt }), [
      PURPOSE,
    ]);
    return Buffer.concat([nonce, tag, ciphertext]).toString('base64url');
  }

  /** `undefined` for anything but a valid link of ours, without saying why. */
  read(token: string): LinkPayload | undefined {
    if (token.length > LONGEST || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const sealed = {
      nonce: bytes.subarray(0, NONCE_BYTES),
      tag: bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
      ciphertext: bytes.subarray(NONCE_BYTES + TAG_BYTES),
    };
    for (const key of this.#ring.derived(PURPOSE)) {
      const text = decrypt(key, sealed, [PURPOSE]);
      if (text !== undefined) return this.#living(text);
    }
    return undefined;
  }

  #living(text: string): LinkPayload | undefined {
    // Authenticated, so `make` has written it; the fields are still picked one by one.
    const { accountId, url, lane, expiresAt } = JSON.parse(text) as LinkPayload;
    return expiresAt > this.#clock.now() ? { accountId, url, ...(lane && { lane }), expiresAt } : undefined;
  }
}
