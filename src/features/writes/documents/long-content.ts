/**
 * Takes the content out of a document in a spool file. The rest, a few elements, can then be read, checked
 * and rewritten like any other message, and the content is put back in its place while it leaves.
 *
 * Only plain base64 in an element `Content` is taken out; anything else has to be read whole.
 */
import { randomUUID } from 'node:crypto';
import type { StreamedBody } from '../../../upstream/model.ts';

/** Bytes that can be read repeatedly. */
interface Pieces {
  pieces(): AsyncIterable<Buffer>;
}

/** In bytes, for everything before the content, and everything after it. */
const LONGEST_REST = 1024 * 1024;
const START = /<content>/i;
const PLAIN = /^[A-Za-z0-9+/=\t\n\r ]*$/;
const WHITE = /[\t\n\r ]+/g;
const LESS_THAN = 0x3c;

/** The content of a document, as it is in the spool file. */
export class LongContent {
  /** Stands for the content in the rest of the document; no document can contain it. */
  readonly mark = `content-${randomUUID()}`;
  readonly #document: Pieces;
  readonly #from: number;
  #length = 0;
  #digits = 0;
  #padding = 0;
  #isBase64 = true;

  constructor(document: Pieces, from: number) {
    this.#document = document;
    this.#from = from;
  }

  /** Bytes of the text. */
  get length(): number {
    return this.#length;
  }

  /** Undefined: the text is not base64, which has whole groups of four. */
  get decodedLength(): number | undefined {
    const isWhole = this.#isBase64 && this.#digits % 4 === 0 && this.#padding <= 2;
    return isWhole ? (this.#digits / 4) * 3 - this.#padding : undefined;
  }

  /** Adds a piece; false if it is not plain text. */
  take(piece: Buffer): boolean {
    const text = piece.toString('latin1');
    if (!PLAIN.test(text)) return false;
    const digits = text.replace(WHITE, '');
    // Nothing but padding may follow the first padding character.
    const rest = this.#padding > 0 ? digits : (/=.*$/s.exec(digits)?.[0] ?? '');
    this.#isBase64 &&= /^=*$/.test(rest);
    this.#padding += rest.length;
    this.#length += piece.length;
    this.#digits += digits.length;
    return true;
  }

  /** As it was sent. */
  async *pieces(): AsyncGenerator<Buffer> {
    let at = 0;
    const end = this.#from + this.#length;
    for await (const piece of this.#document.pieces()) {
      const part = piece.subarray(Math.max(0, this.#from - at), Math.max(0, end - at));
      at += piece.length;
      if (part.length > 0) yield part;
      if (at >= end) return;
    }
  }

  /** The decoded bytes. */
  async *decoded(): AsyncGenerator<Buffer> {
    let left = '';
    for await (const piece of this.pieces()) {
      const digits = left + piece.toString('latin1').replace(WHITE, '');
      const whole = digits.length - (digits.length % 4);
      left = digits.slice(whole);
      if (whole > 0) yield Buffer.from(digits.slice(0, whole), 'base64');
    }
  }
}

/** A document without its content; undefined: it has to be read whole. */
export async function withoutContent(
  document: Pieces,
): Promise<{ readonly rest: Buffer; readonly content: LongContent } | undefined> {
  const parts = new Parts(document);
  for await (const piece of document.pieces()) if (!parts.take(piece)) return undefined;
  return parts.parted;
}

/** Splits the pieces into what precedes the content, the content, and what follows it. */
class Parts {
  readonly #document: Pieces;
  #before: Buffer = Buffer.alloc(0);
  #content: LongContent | undefined;
  readonly #behind: Buffer[] = [];
  #length = 0;

  constructor(document: Pieces) {
    this.#document = document;
  }

  /** False: it cannot be split. */
  take(piece: Buffer): boolean {
    if (this.#content !== undefined) return this.#taken(piece, this.#content);
    this.#before = Buffer.concat([this.#before, piece]);
    const start = START.exec(this.#before.toString('latin1'));
    if (start === null) return this.#before.length <= LONGEST_REST;
    const from = start.index + start[0].length;
    const left = this.#before.subarray(from);
    this.#before = this.#before.subarray(0, from);
    this.#content = new LongContent(this.#document, from);
    return this.#taken(left, this.#content);
  }

  #taken(piece: Buffer, content: LongContent): boolean {
    const end = this.#length > 0 ? 0 : piece.indexOf(LESS_THAN);
    if (end < 0) return content.take(piece);
    if (!content.take(piece.subarray(0, end))) return false;
    this.#behind.push(piece.subarray(end));
    this.#length += piece.length - end;
    return this.#length <= LONGEST_REST;
  }

  get parted(): { readonly rest: Buffer; readonly content: LongContent } | undefined {
    const content = this.#content;
    if (content === undefined || content.length === 0) return undefined;
    return { rest: Buffer.concat([this.#before, Buffer.from(content.mark), ...this.#behind]), content };
  }
}

/**
 * A message with the content, as sent or decoded, in place of its mark; read from the spool file as often as
 * it has to be sent.
 */
export function filled(message: Buffer, content: LongContent, as: 'sent' | 'decoded'): Buffer | StreamedBody {
  const at = message.indexOf(content.mark);
  if (at < 0) return message;
  const behind = message.subarray(at + content.mark.length);
  const length = as === 'sent' ? content.length : (content.decodedLength ?? 0);
  return {
    length: at + length + behind.length,
    isFresh: true,
    async *pieces() {
      yield message.subarray(0, at);
      yield* as === 'sent' ? content.pieces() : content.decoded();
      yield behind;
    },
  };
}
