import {
  SignJWT,
  calculateJwkThumbprint,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';

const ALGORITHM = 'RS256';
/** Number of verified tokens kept, latest first: checking a signature takes as long as answering a call. */
const KEPT = 1_000;

/** The service's signing key. Tokens are signed with RS256 and the public half is published. */
export class SigningKey {
  readonly #private: CryptoKey | Uint8Array;
  readonly #public: CryptoKey | Uint8Array;
  readonly publicJwk: JWK;
  readonly #opened = new Map<string, JWTPayload>();

  constructor(keys: {
    readonly private: CryptoKey | Uint8Array;
    readonly public: CryptoKey | Uint8Array;
    readonly publicJwk: JWK;
  }) {
    this.#private = keys.private;
    this.#public = keys.public;
    this.publicJwk = keys.publicJwk;
  }

  async sign(claims: JWTPayload): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: this.publicJwk.kid ?? '' })
      .sign(this.#private);
  }

  /**
   * Returns the claims of a token signed by this key; undefined for any other text. The caller checks the
   * expiry.
   */
  async open(token: string): Promise<JWTPayload | undefined> {
    const known = this.#opened.get(token);
    if (known !== undefined) return known;
    const claims = await this.#verified(token);
    if (claims !== undefined) this.#keep(token, claims);
    return claims;
  }

  #keep(token: string, claims: JWTPayload): void {
    const [oldest] = this.#opened.keys();
    if (this.#opened.size >= KEPT && oldest !== undefined) this.#opened.delete(oldest);
    this.#opened.set(token, claims);
  }

  async #verified(token: string): Promise<JWTPayload | undefined> {
    try {
      // The caller checks the expiry, because a lifetime may be less than a second; the epoch as current date
      // keeps the library from checking it.
      const { payload } = await jwtVerify(token, this.#public, {
        algorithms: [ALGORITHM],
        currentDate: new Date(0),
        clockTolerance: Number.MAX_SAFE_INTEGER,
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}

/** Creates a private key, as a JWK with its thumbprint as `kid`. */
export async function makeSigningJwk(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: ALGORITHM, use: 'sig' };
}

/** Opens the key that signs access tokens, from its private JWK. */
export async function openSigningKey(jwk: JWK): Promise<SigningKey> {
  const publicJwk: JWK = {
    kty: 'RSA',
    n: jwk.n ?? '',
    e: jwk.e ?? '',
    alg: ALGORITHM,
    use: 'sig',
    kid: jwk.kid ?? '',
  };
  return new SigningKey({
    private: await importJWK(jwk, ALGORITHM),
    public: await importJWK(publicJwk, ALGORITHM),
    publicJwk,
  });
}
