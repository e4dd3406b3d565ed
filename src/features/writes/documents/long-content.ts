/**
 * Takes the content out of a document that lies in a spool, so that the rest of it, a few elements, can be read, checked
 * and written anew as any other message, and the content be put in its place while it leaves.
 *
 * Only what stands as plain base64 in an element `Content` is taken out; anything else is for whoever reads it whole.
 */
import { randomUUID } from 'node:crypto';
import type { StreamedBody } from '../../../upstream/model.ts';

/** Bytes that can be read again and again. */
interface Pieces {
  pieces(): AsyncIterable<Buffer>;
}

/** Of what stands before the content, and behind it; in bytes. */
const LONGEST_REST = 1024 * 1024;
const START = /<content>/i;
const PLAIN = /^[A-Za-z0-9+/=\t\n\r ]*$/;
const WHITE = /[\t\n\r ]+/g;
const LESS_THAN = 0x3c;

/** The content of a document, as it stands in the spool. */
export class LongContent {
  /** What stands in its place in the rest of the document; no document can hold it. */
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

  /** The next piece of it; false where it is no plain text. */
  take(piece: Buffer): boolean {
    const text = piece.toString('latin1');
    if (!PLAIN.test(text)) return false;
    const digits = text.replace(WHITE, '');
    const padded = digits.indexOf('=');
    if (padded >= 0 || this.#padding > 0) {
      const rest = padded >= 0 && this.#padding === 0 ? digits.slice(padded) : digits;
      this.#isBase64 &&= /^=*$/.test(rest);
      this.#padding += rest.length;
    }
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

  /** The bytes that it stands for. */
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

/** A document without its content; undefined: it is to be read whole. */
export async function withoutContent(
  document: Pieces,
): Promise<{ readonly rest: Buffer; readonly content: LongContent } | undefined> {
  let before: Buffer = Buffer.alloc(0);
  let content: LongContent | undefined;
  const behind: Buffer[] = [];
  let length = 0;
  for await (const piece of document.pieces()) {
    let left = piece;
    if (content === undefined) {
      before = Buffer.concat([before, left]);
      const start = START.exec(before.toString('latin1'));
      if (start === null && before.length > LONGEST_REST) return undefined;
      if (start === null) continue;
      const from = start.index + start[0].length;
      content = new LongContent(document, from);
      left = before.subarray(from);
      before = before.subarray(0, from);
    }
    const end = length > 0 ? 0 : left.indexOf(LESS_THAN);
    if (end !== 0 && !content.take(end < 0 ? left : left.subarray(0, end))) return undefined;
    if (end < 0) continue;
    behind.push(left.subarray(end));
    length += left.length - end;
    if (length > LONGEST_REST) return undefined;
  }
  if (content === undefined || content.length === 0) return undefined;
  return { rest: Buffer.concat([before, Buffer.from(content.mark), ...behind]), content };
}

/** A message with the content, as it was sent or decoded, where its mark stands; from the spool, as often as it has to be sent. */
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
