/**
 * The body of a long document: streamed to the service while it is read from the caller, or read to its end
 * into a spool file first.
 *
 * `head` comes first and reads 64 KiB, enough for the elements before the file's content. After that either
 * `pieces` streams the document once, or `spool` reads it to its end, after which it can be sent repeatedly.
 * `finishing` is called before the last piece leaves, so that the fingerprint of the whole is stored before
 * the service can have the whole.
 */
import { createHash } from 'node:crypto';
import { Failure } from '../../../lib/failure.ts';
import { withoutContent, type LongContent } from './long-content.ts';
import type { Spool, SpoolFolder } from './spool.ts';

/**
 * In bytes. This much of a document is read before anything of it leaves: it contains the names. A shorter
 * body is held whole.
 */
export const HEAD = 64 * 1024;

/**
 * Called with the digest of a document once the caller has sent all of it; the last piece leaves when this
 * resolves.
 */
export type Finish = (digest: string, length: number) => Promise<void>;

/**
 * The body of a document on its way from the caller to the service. It leaves while it is read, and is never
 * whole in memory. The last piece is held back until the digest of all is durable: what has not left whole
 * was not carried out, because no service accepts half a message as a document. A document that has to wait
 * is written to a spool file.
 */
export class DocumentBody {
  readonly #source: AsyncIterator<Buffer>;
  readonly #spools: SpoolFolder;
  readonly #account: string;
  readonly #announced: number | undefined;
  readonly #hash = createHash('sha256');
  readonly #read: Buffer[] = [];
  #spool: Spool | undefined;
  #beginning: Promise<Buffer> | undefined;
  #parted: ReturnType<typeof withoutContent> | undefined;
  #content: LongContent | undefined;
  #finish: Finish = () => Promise.resolve();
  #length = 0;
  #digest: string | undefined;
  #hasBegun = false;
  /** It is no longer than its head, which is in memory. */
  #isShort = false;

  /** `announced`: its length in bytes, if the caller said so. `account`: the caller's. */
  constructor(
    source: AsyncIterable<Buffer>,
    announced: number | undefined,
    spools: SpoolFolder,
    account: string,
  ) {
    this.#source = source[Symbol.asyncIterator]();
    this.#announced = announced;
    this.#spools = spools;
    this.#account = account;
  }

  /** The beginning, the same whenever the same document is sent. Call it first. */
  head(): Promise<Buffer> {
    return (this.#beginning ??= this.#readHead());
  }

  async #readHead(): Promise<Buffer> {
    let length = 0;
    while (length < HEAD) {
      const next = await this.#source.next();
      if (next.done === true) {
        this.#digest = this.#hash.digest('base64url');
        this.#isShort = true;
        break;
      }
      length += next.value.length;
      this.#took(next.value);
      this.#read.push(next.value);
    }
    return Buffer.concat(this.#read).subarray(0, HEAD);
  }

  /** In bytes: as announced until all is read. */
  get length(): number | undefined {
    return this.#digest === undefined ? this.#announced : this.#length;
  }

  /** Of the whole document; undefined until it has been read to its end. */
  get digest(): string | undefined {
    return this.#digest;
  }

  /** It can be sent from its beginning. */
  get isFresh(): boolean {
    return !this.#hasBegun || this.#isShort || this.#spool !== undefined;
  }

  /** Sets what is awaited before the last piece leaves. */
  finishing(finish: Finish): void {
    this.#finish = finish;
  }

  /**
   * Reads the rest without sending anything. Throws `Failure` busy or storeUnavailable, and what reading from
   * the caller throws.
   */
  async spool(): Promise<void> {
    if (this.#spool !== undefined || this.#isShort) return;
    this.#spool = await this.#spools.create(this.#account);
    for (const piece of this.#read.splice(0)) await this.#spool.append(piece);
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) {
      this.#took(next.value);
      await this.#spool.append(next.value);
    }
    await this.#spool.finish();
    this.#digest = this.#hash.digest('base64url');
  }

  /**
   * The rest of a document that was read to its end, with a mark in place of its content (`content`);
   * undefined: it has to be read whole.
   */
  async rest(): Promise<Buffer | undefined> {
    if (this.#spool === undefined) return undefined;
    const parted = await (this.#parted ??= withoutContent(this.#spool));
    this.#content = parted?.content;
    return parted?.rest;
  }

  /** The content that was taken out. */
  get content(): LongContent | undefined {
    return this.#content;
  }

  /** All of it in memory. Throws `Failure` bodyTooLarge. */
  async held(limit: number): Promise<Buffer> {
    if (this.#length > limit) throw new Failure('bodyTooLarge');
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces()) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** What is sent to the service. */
  async *pieces(): AsyncGenerator<Buffer> {
    this.#hasBegun = true;
    if (this.#spool !== undefined) yield* this.#spool.pieces();
    else if (this.#isShort) yield* [...this.#read];
    else yield* this.#passing();
  }

  /** Stops reading from the caller, and frees the spool file. */
  async close(): Promise<void> {
    this.#source.return?.().catch(() => undefined);
    this.#read.length = 0;
    await this.#spool?.close();
    this.#spool = undefined;
  }

  async *#passing(): AsyncGenerator<Buffer> {
    let last = this.#read.pop();
    while (this.#read.length > 0) yield this.#read.shift() ?? EMPTY;
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) {
      this.#took(next.value);
      if (last !== undefined) yield last;
      last = next.value;
    }
    const digest = this.#hash.digest('base64url');
    await this.#finish(digest, this.#length);
    this.#digest = digest;
    if (last !== undefined) yield last;
  }

  #took(piece: Buffer): void {
    this.#hash.update(piece);
    this.#length += piece.length;
  }
}

const EMPTY = Buffer.alloc(0);
