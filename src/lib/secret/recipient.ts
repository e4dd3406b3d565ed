/**
 * Seals an export for one recipient, and opens it again: JSON Web Encryption (RFC 7516) in its compact form, which every
 * JOSE library reads. The content is encrypted with AES-256-GCM; its key is agreed with a curve's key (ECDH-ES) or wrapped
 * for an RSA key (RSA-OAEP-256).
 */
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

/** The key cannot be used; the text says why, and quotes nothing of it. */
export class UnusableKey extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'UnusableKey';
  }
}

/** A public key that exports are sealed for. */
export interface Recipient {
  readonly key: KeyObject;
  readonly algorithm: 'ECDH-ES' | 'RSA-OAEP-256';
  /** Its thumbprint (RFC 7638), by which audit and file name it. */
  readonly id: string;
}

const CONTENT = 'A256GCM';
/** NIST SP 800-57: smaller keys do not keep a secret safe for years. */
const LEAST_RSA = 2_048;
const curves = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
const WANTED =
  'a public key in PEM or JWK: X25519, a NIST curve (P-256, P-384, P-521) or RSA of 2048 bits and more';

/** Reads a public key, PEM or JWK. Throws `UnusableKey`. */
export async function recipientOf(text: string): Promise<Recipient> {
  const key = publicKeyIn(text.trim());
  const algorithm = algorithmOf(key);
  const { calculateJwkThumbprint } = await import('jose/jwk/thumbprint');
  return { key, algorithm, id: await calculateJwkThumbprint(key.export({ format: 'jwk' })) };
}

/** Seals a text, which only the holder of the private key can read. */
export async function sealFor({ key, algorithm, id }: Recipient, text: string): Promise<string> {
  const { CompactEncrypt } = await import('jose/jwe/compact/encrypt');
  return new CompactEncrypt(Buffer.from(text, 'utf8'))
    .setProtectedHeader({ alg: algorithm, enc: CONTENT, kid: id, cty: 'application/json' })
    .encrypt(key);
}

/** Opens the result of `sealFor`. Throws `UnusableKey` if the text is not one, or was sealed for another key. */
export async function openSealed(sealed: string, privateKey: string): Promise<string> {
  const key = privateKeyIn(privateKey.trim());
  const { compactDecrypt } = await import('jose/jwe/compact/decrypt');
  try {
    const { plaintext } = await compactDecrypt(sealed.trim(), key, {
      keyManagementAlgorithms: ['ECDH-ES', 'RSA-OAEP-256'],
      contentEncryptionAlgorithms: [CONTENT],
    });
    return Buffer.from(plaintext).toString('utf8');
  } catch {
    throw new UnusableKey('the file is no export, was damaged, or was sealed for another key');
  }
}

function publicKeyIn(text: string): KeyObject {
  if (isPrivate(text))
    throw new UnusableKey(
      'this is a private key: give its public half, and keep the private one to yourself',
    );
  try {
    return text.startsWith('{')
      ? createPublicKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' })
      : createPublicKey(text);
  } catch {
    // The error may quote the text.
    throw new UnusableKey(`the key cannot be read: give ${WANTED}`);
  }
}

function isPrivate(text: string): boolean {
  if (!text.startsWith('{')) return text.includes('PRIVATE KEY');
  try {
    return Object.hasOwn(JSON.parse(text) as object, 'd');
  } catch {
    return false;
  }
}

function privateKeyIn(text: string): KeyObject {
  try {
    return text.startsWith('{')
      ? createPrivateKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' })
      : createPrivateKey(text);
  } catch {
    throw new UnusableKey('the private key cannot be read: give it in PEM or JWK, without a passphrase');
  }
}

function algorithmOf(key: KeyObject): Recipient['algorithm'] {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'x25519') return 'ECDH-ES';
  if (type === 'ec' && curves.has(details?.namedCurve ?? '')) return 'ECDH-ES';
  if (type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_RSA) return 'RSA-OAEP-256';
  throw new UnusableKey(`exports cannot be sealed for such a key (${type ?? 'unknown'}): give ${WANTED}`);
}
