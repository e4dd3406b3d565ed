/**
 * Reads a `Response` document as it arrives and passes on its records one by one, so that a list of any length needs
 * the memory of a few records.
 *
 * The parser pushes, the splitter collects: each slice of 8 KiB is parsed completely and the parts it completed are
 * passed on together, with a turn of the event loop between slices. The mapping says whether a child of `Response` is
 * one record or a list of them; otherwise its first grandchild decides. Line ends of texts stay as they are. Limits on
 * size and depth apply per record. Anything malformed ends the stream with `XmlFault`, possibly after records have been
 * passed on.
 */
import { setImmediate } from 'node:timers/promises';
import { type ReplyPart, type XmlElement, XmlFault, type XmlLimits } from '../element.ts';
import { defaultLimits } from '../limits.ts';
import { LineEnds, withLineEnds } from './line-ends.ts';
import { Parser } from '../parser.ts';
import { Refusal } from '../refusal.ts';
import { Tree } from '../tree.ts';

/** Facts about the document known in advance. */
export interface SplitOptions {
  /**
   * Whether the child of `Response` with this name is a list (true) or one record (false). If the caller does
   * not know (undefined), the first grandchild decides: an element with children is a record of a list, a
   * leaf is a field.
   */
  readonly container?: ((name: string) => boolean | undefined) | undefined;
  /** Per record; the stream itself may have any length. */
  readonly limits?: XmlLimits;
}

/**
 * Bytes parsed at once, which limits the memory of the parts in hand and the pause for other calls. Measured: with
 * more, the parts outlive V8's young generation, which costs time and 80 MB; with less, the turns cost more than they
 * save.
 */
export const SLICE = 8_192;

/**
 * A `Response` document in parts, as it arrives: the parts that each slice of the input has completed.
 * Leaving the loop early releases the source.
 *
 * Throws `XmlFault`: malformed for anything that is not one whole `Response` document, encoding for bytes
 * that are not UTF-8, doctype, too-large for a record beyond the limits.
 */
export async function* splitReply(
  chunks: AsyncIterable<Buffer>,
  options: SplitOptions = {},
): AsyncGenerator<readonly ReplyPart[], void, undefined> {
  const limits = options.limits ?? defaultLimits;
  const splitter = new Splitter(limits, options.container);
  const parser = new Parser(limits, splitter);
  const decoder = new Utf8();
  const lineEnds = new LineEnds();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += SLICE) {
      if (at > 0) await setImmediate();
      parser.write(lineEnds.take(decoder.decode(chunk.subarray(at, at + SLICE)), parser.depth));
      const parts = splitter.take();
      if (parts.length > 0) yield parts;
    }
  }
  parser.write(lineEnds.take(decoder.decode(), parser.depth));
  parser.write(lineEnds.end());
  parser.end();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The parts of a whole document that is small enough to be read without a turn for others. Throws the errors of
 * `splitReply`, or a `TypeError` for bytes that are not UTF-8.
 */
export function splitSmall(bytes: Buffer, container: SplitOptions['container']): readonly ReplyPart[] {
  const splitter = new Splitter(defaultLimits, container);
  const parser = new Parser(defaultLimits, splitter);
  const text = utf8.decode(bytes);
  // In nearly every document the only carriage return follows the declaration.
  const isPlain = !text.includes('\r', text.indexOf('<Response'));
  parser.write(isPlain ? text : withLineEnds(text));
  parser.end();
  return splitter.take();
}

/** Decodes UTF-8 in pieces; a byte order mark is tolerated. */
class Utf8 {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  /** Called without bytes at the end; throws if the input ended inside a character. */
  decode(bytes?: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new XmlFault('encoding');
    }
  }
}

/**
 * The position of the parser: before the root; between the children of the root; inside a child that is still
 * `undecided`; inside a `record` directly under the root; between or inside the records of a `list`.
 */
type Place =
  | { readonly at: 'start' }
  | { readonly at: 'response' }
  | { readonly at: 'undecided'; readonly name: string }
  | { readonly at: 'record' }
  | { readonly at: 'list'; readonly name: string };

const START: Place = { at: 'start' };
const RESPONSE: Place = { at: 'response' };
const RECORD: Place = { at: 'record' };

class Splitter {
  readonly #tree: Tree;
  readonly #container: SplitOptions['container'];
  #place: Place = START;
  #parts: ReplyPart[] = [];

  constructor(limits: XmlLimits, container: SplitOptions['container']) {
    this.#tree = new Tree(limits);
    this.#container = container;
  }

  /** The parts completed since the last call. */
  take(): readonly ReplyPart[] {
    const parts = this.#parts;
    if (parts.length > 0) this.#parts = [];
    return parts;
  }

  open(name: string, attributes: XmlElement['attributes'], selfClosing: boolean): void {
    switch (this.#place.at) {
      case 'start':
        if (name !== 'Response') throw new Refusal('malformed');
        this.#place = RESPONSE;
        return;
      case 'response':
        this.#place = this.#enter(name);
        if (this.#place.at !== 'list') this.#tree.open(name, attributes, selfClosing);
        return;
      case 'undecided':
        // The child of a child has children itself: these are records, and their parent is a list, unless it has text.
        if (this.#tree.depth === 2 && !this.#tree.isMixed) this.#place = this.#discover(this.#place.name);
        this.#tree.open(name, attributes, selfClosing);
        return;
      case 'record':
      case 'list':
        this.#tree.open(name, attributes, selfClosing);
    }
  }

  text(text: string): void {
    this.#tree.text(text);
  }

  close(): void {
    const place = this.#place;
    switch (place.at) {
      case 'start':
      case 'response':
        return;
      case 'undecided':
      case 'record':
        this.#closeInChild();
        return;
      case 'list':
        this.#closeInList(place.name);
    }
  }

  #enter(name: string): Place {
    switch (this.#container?.(name)) {
      case true:
        this.#parts.push({ part: 'open', name });
        return { at: 'list', name };
      case false:
        return RECORD;
      case undefined:
        return { at: 'undecided', name };
    }
  }

  #discover(name: string): Place {
    this.#tree.peel();
    this.#parts.push({ part: 'open', name });
    return { at: 'list', name };
  }

  #closeInChild(): void {
    const element = this.#tree.close();
    if (element === undefined) {
      this.#place = RECORD;
      return;
    }
    this.#place = RESPONSE;
    this.#parts.push(
      element.children.length === 0
        ? { part: 'scalar', element }
        : { part: 'record', container: undefined, element },
    );
  }

  #closeInList(name: string): void {
    if (this.#tree.depth === 0) {
      this.#place = RESPONSE;
      this.#parts.push({ part: 'close', name });
      return;
    }
    const element = this.#tree.close();
    if (element !== undefined) this.#parts.push({ part: 'record', container: name, element });
  }
}
