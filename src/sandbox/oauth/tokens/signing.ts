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

/** The service's signing key. Tokens are signed with RS256 and the public half is published. */
export class SigningKey {
  readonly #private: CryptoKey | Uint8Array;
  readonly #public: CryptoKey | Uint8Array;
  readonly publicJwk: JWK;

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

  /** The claims of a token this key signed; undefined for any other text. Expiry is the caller's question. */
  async open(token: string): Promise<JWTPayload | undefined> {
    try {
      // A lifetime below a second is judged by the caller in milliseconds, so the library sees the epoch.
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

/** A new private key, as JWK with its thumbprint for `kid`. */
export async function makeSigningJwk(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: ALGORITHM, use: 'sig' };
}

/** The key that access tokens are signed with, from its private JWK. */
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
