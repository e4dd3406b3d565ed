import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../../lib/failure.ts';

/**
 * Documents that have to wait on disk, sealed, because they may be repeats of one whose outcome is unknown.
 * The key of a file is only in memory, and its name is removed as soon as it is open, so nothing is left of
 * it when the process dies. All files of a process together have a limit, of which one account leaves a part
 * to the others: a program that sends documents slowly could otherwise hold all of it for a quarter of an hour.
 */
export class SpoolFolder {
  readonly #folder: string;
  readonly #most: number;
  #held = 0;
  /** The documents of each account, the oldest first. */
  readonly #accounts = new Map<string, Space[]>();

  /** `most`: bytes of all files together. */
  constructor(folder: string, most: number) {
    this.#folder = folder;
    this.#most = most;
  }

  /** Bytes in use at the moment. */
  get held(): number {
    return this.#held;
  }

  /** Removes the files of a process that died between opening a file and removing its name. */
  async clear(): Promise<void> {
    const found = await readdir(this.#folder).catch(() => []);
    for (const name of found) if (name.endsWith(SUFFIX)) await rm(join(this.#folder, name), { force: true });
  }

  /** For one document of the account. Throws `Failure` storeUnavailable. */
  async create(account: string): Promise<Spool> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const path = join(this.#folder, randomUUID() + SUFFIX);
      const file = await open(path, 'wx+', 0o600);
      await rm(path, { force: true });
      return new Spool(file, this.#spaceOf(account));
    } catch (error) {
      throw notHeld(error);
    }
  }

  /** The oldest document of an account may have all that is free; others not more than would be left for other accounts. */
  #spaceOf(account: string): Space {
    const documents = this.#accounts.get(account) ?? [];
    this.#accounts.set(account, documents);
    const space: Space = {
      bytes: 0,
      take: (bytes) => {
        const left = documents[0] === space ? 0 : documents.reduce((sum, one) => sum + one.bytes, 0);
        if (bytes + left > this.#most - this.#held) throw new Failure('busy', { text: FULL, retryAfter: 30 });
        space.bytes += bytes;
        this.#held += bytes;
      },
      release: () => {
        this.#held -= space.bytes;
        space.bytes = 0;
        const at = documents.indexOf(space);
        if (at >= 0) documents.splice(at, 1);
        if (documents.length === 0) this.#accounts.delete(account);
      },
    };
    documents.push(space);
    return space;
  }
}

/** The space of one document. */
interface Space {
  bytes: number;
  /** Throws `Failure` busy. */
  take(bytes: number): void;
  /** Returns all of it. */
  release(): void;
}

const SUFFIX = '.spool';
const FULL =
  'The bridge holds as many documents as it may whose first attempts had no answer, so nothing was sent; try again later';
const NOT_HELD = 'The bridge cannot hold this document at the moment, so nothing was sent; try again later';

const notHeld = (error: unknown): Failure =>
  new Failure('storeUnavailable', { text: NOT_HELD, cause: error });

/** Bytes that make a piece on disk: a caller may send a long document in very short pieces. */
const PIECE = 64 * 1024;
/** So many are written even if they are shorter: each takes hundreds of bytes of memory, however short it is. */
const MOST_WAITING = 1_000;
const ALGORITHM = 'aes-256-gcm';
const TAG = 16;

/** One document on disk; written once, read as often as it has to be sent. */
export class Spool {
  readonly #file: FileHandle;
  readonly #space: Space;
  readonly #key = randomBytes(32);
  /** Bytes of each piece on disk. */
  readonly #pieces: number[] = [];
  /** What is not on disk yet. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #length = 0;

  constructor(file: FileHandle, space: Space) {
    this.#file = file;
    this.#space = space;
  }

  get length(): number {
    return this.#length;
  }

  /** Throws `Failure` busy, storeUnavailable. */
  async append(piece: Buffer): Promise<void> {
    this.#space.take(piece.length);
    this.#length += piece.length;
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes >= PIECE || this.#waiting.length >= MOST_WAITING) await this.finish();
  }

  /** Writes what is not on disk yet; call it after the last piece. Throws `Failure` storeUnavailable. */
  async finish(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const piece = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce(this.#pieces.length));
    this.#pieces.push(piece.length);
    try {
      await this.#file.appendFile(Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]));
    } catch (error) {
      throw notHeld(error);
    }
  }

  /** From the beginning. */
  async *pieces(): AsyncGenerator<Buffer> {
    let at = 0;
    for (const [index, length] of this.#pieces.entries()) {
      const sealed = Buffer.alloc(length + TAG);
      await this.#file.read(sealed, 0, sealed.length, at);
      at += sealed.length;
      const decipher = createDecipheriv(ALGORITHM, this.#key, nonce(index));
      decipher.setAuthTag(sealed.subarray(length));
      yield Buffer.concat([decipher.update(sealed.subarray(0, length)), decipher.final()]);
    }
  }

  /** Nothing of it remains. */
  async close(): Promise<void> {
    this.#space.release();
    this.#length = 0;
    await this.#file.close();
  }
}

/** Every piece has its own nonce, and every file its own key. */
function nonce(index: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(index, 8);
  return bytes;
}
