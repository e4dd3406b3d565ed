import { createRequire } from 'node:module';
import type * as fastXmlParser from 'fast-xml-parser';
import { refuseDoctype } from '../doctype.ts';
import { type XmlElement, XmlFault } from '../element.ts';
import { documentLimits } from '../limits.ts';

const require = createRequire(import.meta.url);

const ATTRIBUTES = ':@';
const TEXT = '#text';
const PREFIX = '@';

/**
 * Reads a small document from a trusted source, held whole: a fixture, a sample, the service's small replies.
 * Independent of `readDocument` and far less strict: never for a caller's input.
 *
 * `lists` names the elements that hold lists: an empty one reads as `<Contacts />` (`selfClosing`), any other empty
 * element as `<Name></Name>`, whichever was written.
 *
 * Throws `XmlFault` malformed, doctype, too-large.
 */
export function readTrusted(text: string, lists: (name: string) => boolean = () => false): XmlElement {
  if (text.length > documentLimits.textLength) throw new XmlFault('too-large');
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  refuseDoctype(body);
  const roots = nodesOf(parse(body)).filter((node) => node.name !== TEXT);
  const root = roots[0];
  if (root === undefined || roots.length > 1) throw new XmlFault('malformed');
  return elementOf(root, lists);
}

function parse(text: string): unknown {
  const { XMLParser } = require('fast-xml-parser') as typeof fastXmlParser;
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: PREFIX,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    // Deprecated in favour of a decoder that a second reader for fixtures is not worth writing.
    // oxlint-disable-next-line typescript/no-deprecated
    htmlEntities: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
    // The default renames such elements (`toString`).
    onDangerousProperty: () => {
      throw new XmlFault('malformed');
    },
  });
  try {
    // Deprecated in favour of a package of its own, which a second reader for fixtures is not worth.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return parser.parse(text, true);
  } catch {
    throw new XmlFault('malformed');
  }
}

/**
 * One entry of the ordered form: `{ Name: [entries], ':@': { '@attribute': 'value' } }` or `{ '#text': 'text'
 * }`.
 */
interface Node {
  readonly name: string;
  readonly content: unknown;
  readonly attributes: XmlElement['attributes'];
}

function nodesOf(list: unknown): readonly Node[] {
  if (!Array.isArray(list)) throw new XmlFault('malformed');
  return list.map((entry: unknown) => {
    const pairs: [string, unknown][] = Object.entries(entry ?? {});
    const named = pairs.find(([key]) => key !== ATTRIBUTES);
    if (named === undefined) throw new XmlFault('malformed');
    const attributes = pairs.find(([key]) => key === ATTRIBUTES)?.[1];
    return { name: named[0], content: named[1], attributes: attributesOf(attributes) };
  });
}

function attributesOf(attributes: unknown): XmlElement['attributes'] {
  return Object.entries(attributes ?? {}).map(
    ([name, value]) => [name.slice(PREFIX.length), String(value)] as const,
  );
}

function elementOf(node: Node, lists: (name: string) => boolean): XmlElement {
  const nodes = nodesOf(node.content);
  const children = nodes.filter(({ name }) => name !== TEXT).map((child) => elementOf(child, lists));
  const texts = nodes.filter(({ name }) => name === TEXT).map(({ content }) => String(content));
  const text = children.length > 0 ? '' : texts.join('');
  const selfClosing = children.length === 0 && text === '' && lists(node.name);
  return { name: node.name, attributes: node.attributes, children, text, selfClosing };
}
