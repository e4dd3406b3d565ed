import { decrypt, encrypt, NONCE_BYTES, TAG_BYTES, type KeyRing } from './keyring.ts';

/** Texts carried in addresses: encrypted, not only signed, under the keys of one purpose. */
export class SealedToken {
  readonly #ring: Pick<KeyRing, 'derived'>;
  readonly #purpose: string;
  readonly #longest: number;

  /** `longest`: in characters; anything longer is no token of ours. */
  constructor(ring: Pick<KeyRing, 'derived'>, purpose: string, longest: number) {
    this.#ring = ring;
    this.#purpose = purpose;
    this.#longest = longest;
  }

  /** URL-safe: only letters, digits, `-` and `_`. */
  seal(text: string): string {
    const [key] = this.#ring.derived(this.#purpose);
    if (key === undefined) throw new Error('the key ring is empty');
    const { nonce, ciphertext, tag } = encrypt(key, text, [this.#purpose]);
    return Buffer.concat([nonce, tag, ciphertext]).toString('base64url');
  }

  /** Undefined for anything that `seal` has not written, without saying why. */
  open(token: string): string | undefined {
    if (token.length > this.#longest || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
    const bytes = Buffer.from(token, 'base64url');
    const sealed = {
      nonce: bytes.subarray(0, NONCE_BYTES),
      tag: bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
      ciphertext: bytes.subarray(NONCE_BYTES + TAG_BYTES),
    };
    for (const key of this.#ring.derived(this.#purpose)) {
      const text = decrypt(key, sealed, [this.#purpose]);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}
