/**
 * The status of a connection inside the integrator's own product: tokens for it, and signed JSON.
 *
 * A token names one account and works for ten minutes. It is sealed, so that it reveals nothing, and is part of an
 * address that only the integrator's server can request. The JSON is a JWS (RFC 7515, flattened) with Ed25519 (RFC
 * 8037), so that its recipient can verify with the public keys in `keys` that the bridge wrote it. The signing key is
 * derived from the encryption keys like all others.
 */
import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import type { KeyRing } from '../../tokens/sealing/keyring.ts';
import { SealedToken } from '../../tokens/sealing/sealed-token.ts';
import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import type { ConnectionView } from './model.ts';
import { iso } from '../../lib/time/iso.ts';

/** How long a token works, in milliseconds. */
export const TOKEN_LIFE = 10 * MINUTE;
const TOKEN = 'status-token';
const SIGNATURE = 'status-signature';
const LONGEST = 500;
/** PKCS #8 around the 32 bytes of an Ed25519 key (RFC 8410, section 7). */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A token and the time at which it stops working. */
export interface StatusToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** Addresses of the status for a token, below the public URL: the page for a frame, and the signed JSON. */
export function statusAddresses(token: string): { readonly page: string; readonly json: string } {
  const page = `/_causeway/status/${token}`;
  return { page, json: `${page}/status.json` };
}

/** A flattened JWS. */
export interface SignedStatus {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

const coded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Tokens and signatures for the status of a connection. */
export class Embedding {
  readonly #ring: KeyRing;
  readonly #token: SealedToken;
  readonly #clock: Clock;
  readonly #issuer: string;

  /** `issuer`: the bridge's address for customers. */
  constructor(ring: KeyRing, clock: Clock, issuer: string) {
    this.#ring = ring;
    this.#token = new SealedToken(ring, TOKEN, LONGEST);
    this.#clock = clock;
    this.#issuer = issuer;
  }

  issue(accountId: string): StatusToken {
    const expiresAt = this.#clock.now() + TOKEN_LIFE;
    return { token: this.#token.seal(JSON.stringify({ accountId, expiresAt })), expiresAt };
  }

  /** The account of a token that still works. */
  read(token: string): string | undefined {
    const text = this.#token.open(token);
    if (text === undefined) return undefined;
    // Authenticated, so `issue` has written it.
    const { accountId, expiresAt } = JSON.parse(text) as { accountId: string; expiresAt: number };
    return expiresAt > this.#clock.now() ? accountId : undefined;
  }

  sign(view: ConnectionView): SignedStatus {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('the key ring is empty');
    const header = coded({ alg: 'EdDSA', kid: key.id });
    const payload = coded({
      iss: this.#issuer,
      sub: view.accountId,
      iat: Math.floor(view.at / SECOND),
      exp: Math.floor((view.at + TOKEN_LIFE) / SECOND),
      ...statusOf(view),
    });
    const signature = sign(null, Buffer.from(`${header}.${payload}`), key.secret).toString('base64url');
    return { protected: header, payload, signature };
  }

  /** The public keys, as a JWK set (RFC 7517). */
  get keys(): readonly Readonly<Record<string, unknown>>[] {
    return this.#keys.map(({ id, secret }) => ({
      ...createPublicKey(secret).export({ format: 'jwk' }),
      kid: id,
      use: 'sig',
      alg: 'EdDSA',
    }));
  }

  get #keys(): readonly { readonly id: string; readonly secret: KeyObject }[] {
    const { ids } = this.#ring;
    return this.#ring.derived(SIGNATURE).map((key, index) => ({
      id: ids[index] ?? String(index),
      secret: createPrivateKey({
        key: Buffer.concat([ED25519, key.export()]),
        format: 'der',
        type: 'pkcs8',
      }),
    }));
  }
}

/** The status for programs: words of the API, times in RFC 3339. */
const statusOf = ({ account, stage, organisation, lastCallAt, keys }: ConnectionView): object => ({
  account,
  stage,
  organisation: organisation ?? null,
  lastCallAt: lastCallAt === undefined ? null : iso(lastCallAt),
  oldKeys: keys.state,
  v1End: 'day' in keys ? keys.day : null,
});
