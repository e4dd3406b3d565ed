import { nextTurn, STEP } from '../time/turn.ts';
import { refuseDoctype } from './doctype.ts';
import { type XmlElement, XmlFault, type XmlLimits } from './element.ts';
import { defaultLimits } from './limits.ts';
import { Parser } from './parser.ts';
import { Tree } from './tree.ts';

export { defaultLimits, documentLimits } from './limits.ts';

/**
 * A whole document as a tree; comments and processing instructions are skipped, CDATA is text. Stops at the
 * first error and at the limits. Not supported: entities beyond the five predefined ones, namespaces,
 * document types.
 *
 * Throws `XmlFault` malformed, doctype, too-large.
 */
export function readDocument(text: string, limits: XmlLimits = defaultLimits): XmlElement {
  refuseDoctype(text);
  if (!text.isWellFormed()) throw new XmlFault('malformed');
  const reader = new Reader(limits);
  for (let at = 0; at < text.length; at += STEP) reader.write(text.slice(at, at + STEP));
  return reader.end();
}

/**
 * The same for a text in pieces, as a decoder yields them, with a turn for other calls after each; undefined if there
 * is only white space.
 */
export async function readDocumentInSteps(
  pieces: Iterable<string>,
  limits: XmlLimits = defaultLimits,
): Promise<XmlElement | undefined> {
  const reader = new Reader(limits);
  let isBlank = true;
  let isFirst = true;
  for (const piece of pieces) {
    // After a longer prolog the parser itself refuses it.
    if (isFirst) refuseDoctype(piece);
    isFirst = false;
    isBlank &&= piece.trim() === '';
    reader.write(piece);
    await nextTurn();
  }
  return isBlank ? undefined : reader.end();
}

/** Builds a tree from the parser's events. */
class Reader {
  readonly #parser: Parser;
  #root: XmlElement | undefined;

  constructor(limits: XmlLimits) {
    const tree = new Tree(limits);
    this.#parser = new Parser(limits, {
      open: (name, attributes, selfClosing) => {
        tree.open(name, attributes, selfClosing);
      },
      text: (characters) => {
        tree.text(characters);
      },
      close: () => {
        this.#root = tree.close() ?? this.#root;
      },
    });
  }

  /**
   * Writes in pieces, so that the length of a single part of the document is checked before the whole of it is read.
   */
  write(piece: string): void {
    this.#parser.write(piece);
  }

  end(): XmlElement {
    this.#parser.end();
    if (this.#root === undefined) throw new XmlFault('malformed');
    return this.#root;
  }
}
