/**
 * The operator's encryption keys: reading them, sealing with them, and the keyed hashes by which secrets are
 * looked up.
 *
 * The first key seals; all open, so keys can be rotated while bridges run. Each purpose has a key of its own,
 * derived with HKDF-SHA256 (RFC 5869), so that a broken one says nothing about the others. Sealing is
 * AES-256-GCM with a random nonce of 96 bits. The id of the key precedes the value, and owner and column are
 * authenticated with it, so that a value copied to another row or column does not open. Lookups use HMAC
 * indexes under every key, because a row may have been written under an older one. Nothing here prints or
 * throws key material.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { SealBroken, type IndexPurpose, type Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';

const KEY_BYTES = 32;
/** Of AES-GCM: the nonce, and the tag that authenticates the ciphertext. */
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
const keyIdForm = /^[A-Za-z0-9_-]{1,32}$/;

/** One of the operator's encryption keys: `id` is written into every value it seals. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Everything wrong with the list of encryption keys; the text never quotes key material. */
export class KeyRingFault extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the encryption keys cannot be used: ${faults.join('; ')}`);
    this.name = 'KeyRingFault';
    this.faults = faults;
  }
}

/** Reads `id:base64-32-bytes[,id:…]`. Throws `KeyRingFault` with all faults at once. */
export function parseKeys(text: string): readonly EncryptionKey[] {
  const parts = text.split(',').map((part) => part.trim());
  const read = parts.map((part, index) => parseKey(part, index + 1));
  const keys = read.filter((key) => typeof key !== 'string');
  const faults = [...read.filter((key) => typeof key === 'string'), ...doubles(keys)];
  if (faults.length > 0) throw new KeyRingFault(faults);
  return keys;
}

function parseKey(part: string, position: number): EncryptionKey | string {
  const colon = part.indexOf(':');
  if (part === '') return `key ${position} is empty`;
  if (colon < 0) return `key ${position} has no id: the form is id:base64`;
  const id = part.slice(0, colon);
  if (!keyIdForm.test(id)) return `key ${position}: an id is 1 to 32 letters, digits, "-" or "_"`;
  const bytes = strictBase64(part.slice(colon + 1));
  if (bytes === undefined) return `key ${id} is not base64`;
  if (bytes.length !== KEY_BYTES) return `key ${id} has ${bytes.length} bytes instead of ${KEY_BYTES}`;
  return { id, bytes };
}

/** Buffer.from skips what is not base64; a damaged key must be refused instead. */
function strictBase64(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return bytes.toString('base64').replace(/=+$/, '') === plain ? bytes : undefined;
}

function doubles(keys: readonly EncryptionKey[]): string[] {
  return keys.flatMap((key, index) => {
    const earlier = keys.slice(0, index);
    if (earlier.some((other) => other.id === key.id)) return [`the id ${key.id} is used twice`];
    const same = earlier.find((other) => other.bytes.equals(key.bytes));
    return same === undefined ? [] : [`the keys ${same.id} and ${key.id} are the same`];
  });
}

/** A new key in the form that `parseKeys` reads. Without an id: `k` and eight random hexadecimal digits. */
export function newKeyLine(id = `k${randomBytes(4).toString('hex')}`): string {
  if (!keyIdForm.test(id)) throw new KeyRingFault(['an id is 1 to 32 letters, digits, "-" or "_"']);
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}

/**
 * Sealing and each index purpose have a key of their own: one that leaked or was broken says nothing about
 * the others. As an object, because every call looks keys up and Node prepares raw bytes again each time, at
 * six times the cost.
 */
const derive = (key: EncryptionKey, purpose: string): KeyObject =>
  createSecretKey(
    Buffer.from(hkdfSync('sha256', key.bytes, Buffer.alloc(0), `causeway/${purpose}`, KEY_BYTES)),
  );

/** JSON distinguishes `["a","bc"]` and `["ab","c"]`. */
const associated = (...parts: readonly string[]): Buffer => Buffer.from(JSON.stringify(parts), 'utf8');

/** The result of AES-256-GCM: all three parts are needed to open it. */
export interface Ciphertext {
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** AES-256-GCM under a derived key; `context` is authenticated with the text. */
export function encrypt(key: KeyObject, text: string, context: readonly string[]): Ciphertext {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(...context));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { nonce, ciphertext, tag: cipher.getAuthTag() };
}

/** `undefined` if key, context or bytes are not those of the sealing. */
export function decrypt(key: KeyObject, sealed: Ciphertext, context: readonly string[]): string | undefined {
  if (sealed.nonce.length !== NONCE_BYTES || sealed.tag.length !== TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associated(...context)).setAuthTag(sealed.tag);
    return Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** The operator's keys: the first seals, all open. */
export class KeyRing implements Seal {
  readonly #keys: readonly EncryptionKey[];
  readonly #derived = new Map<string, readonly KeyObject[]>();

  constructor(keys: readonly EncryptionKey[]) {
    if (keys.length === 0) throw new KeyRingFault(['there is no key']);
    this.#keys = keys;
  }

  /** Throws `KeyRingFault`. */
  static parse(text: Secret): KeyRing {
    return new KeyRing(parseKeys(text.reveal()));
  }

  /** The ids of all keys, the sealing one first. */
  get ids(): readonly string[] {
    return this.#keys.map((key) => key.id);
  }

  /** The id of the key that sealed the value, to list what still has to be sealed again. */
  static keyIdOf(sealed: string): string {
    return sealed.slice(0, Math.max(0, sealed.indexOf(':')));
  }

  seal(value: Secret, owner: string, column: string): string {
    const [key] = this.#pairs('seal');
    if (key === undefined) throw new KeyRingFault(['there is no key']);
    const { nonce, ciphertext, tag } = encrypt(key.derived, value.reveal(), [owner, column, key.id]);
    return [key.id, ...[nonce, ciphertext, tag].map((part) => part.toString('base64url'))].join(':');
  }

  open(sealed: string, owner: string, column: string): Secret {
    const [id = '', nonce, ciphertext, tag, ...rest] = sealed.split(':');
    const key = this.#pairs('seal').find((candidate) => candidate.id === id);
    if (key === undefined || nonce === undefined || ciphertext === undefined || tag === undefined)
      throw new SealBroken(owner, column);
    if (rest.length > 0) throw new SealBroken(owner, column);
    const value = decrypt(
      key.derived,
      {
        nonce: Buffer.from(nonce, 'base64url'),
        ciphertext: Buffer.from(ciphertext, 'base64url'),
        tag: Buffer.from(tag, 'base64url'),
      },
      [owner, column, id],
    );
    if (value === undefined) throw new SealBroken(owner, column);
    return new Secret(value);
  }

  index(value: Secret, purpose: IndexPurpose): readonly string[] {
    return this.derived(`index/${purpose}`).map((key) =>
      createHmac('sha256', key).update(value.reveal(), 'utf8').digest('base64url'),
    );
  }

  /**
   * The keys derived for one purpose, the sealing one first. Purposes are few and fixed, so they are cached.
   */
  derived(purpose: string): readonly KeyObject[] {
    const known = this.#derived.get(purpose);
    if (known !== undefined) return known;
    const keys = this.#keys.map((key) => derive(key, purpose));
    this.#derived.set(purpose, keys);
    return keys;
  }

  #pairs(purpose: string): readonly { readonly id: string; readonly derived: KeyObject }[] {
    const derived = this.derived(purpose);
    return this.#keys.flatMap((key, index) => {
      const bytes = derived[index];
      return bytes === undefined ? [] : [{ id: key.id, derived: bytes }];
    });
  }
}
