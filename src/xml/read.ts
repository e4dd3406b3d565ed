import { refuseDoctype } from './doctype.ts';
import { type XmlElement, XmlFault, type XmlLimits } from './element.ts';
import { defaultLimits } from './limits.ts';
import { Parser } from './parser.ts';
import { Tree } from './tree.ts';

export { defaultLimits, documentLimits } from './limits.ts';

/** Parsed in slices, so that the length of a single piece is seen before the whole of it was taken in. */
const SLICE = 65_536;

/**
 * A whole document as a tree; comments and processing instructions are skipped, CDATA is text. Stops at the first
 * error and at the limits. What it does not do: resolve entities beyond the five predefined ones, namespaces,
 * document types.
 *
 * Throws `XmlFault` malformed, doctype, too-large.
 */
export function readDocument(text: string, limits: XmlLimits = defaultLimits): XmlElement {
  refuseDoctype(text);
  if (!text.isWellFormed()) throw new XmlFault('malformed');
  const tree = new Tree(limits);
  let root: XmlElement | undefined;
  const parser = new Parser(limits, {
    open: (name, attributes, selfClosing) => {
      tree.open(name, attributes, selfClosing);
    },
    text: (characters) => {
      tree.text(characters);
    },
    close: () => {
      root = tree.close() ?? root;
    },
  });
  for (let at = 0; at < text.length; at += SLICE) parser.write(text.slice(at, at + SLICE));
  parser.end();
  if (root === undefined) throw new XmlFault('malformed');
  return root;
}
