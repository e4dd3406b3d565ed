/**
 * Writes XML documents: request bodies for V3, and the legacy replies that are not copied from the service.
 *
 * Replies have the form of the legacy service, on one line after the declaration, with empty text as
 * `<X></X>` and an empty list as `<X />`. xmlbuilder2 builds small request bodies; large ones would block the
 * event loop for too long, so they are written in pieces with a turn in between. Both ways escape so that a
 * reader gets back exactly what was given. Names of elements are checked, because some come from callers;
 * values need no check.
 */
import { createRequire } from 'node:module';
import type * as xmlbuilder2 from 'xmlbuilder2';
import { concatInSteps, nextTurn, STEP } from '../time/turn.ts';
import type { XmlElement } from './element.ts';
import { checkName } from './name.ts';
import { escapeAttribute, escapeText } from './text.ts';

type Create = typeof xmlbuilder2.create;
type Builder = ReturnType<Create>;

const require = createRequire(import.meta.url);
/** Loaded with the first document that is built; never in a process that only reads, or replies with records. */
const create = (options: Parameters<Create>[0] = {}): Builder =>
  (require('xmlbuilder2') as typeof xmlbuilder2).create(options);

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

/** First line of every legacy reply. */
export const DECLARATION = `${HEAD}\r\n`;

/** End tag of every reply. */
export const CLOSE_RESPONSE = '</Response>';

/** Start tag of a reply; the attribute is left out if the path names no method. */
export function openResponse(apiMethod: string | undefined): string {
  return apiMethod === undefined ? '<Response>' : `<Response api-method="${escapeAttribute(apiMethod)}">`;
}

/**
 * A single element. Empty text is written `<X></X>`, an empty list of children `<X />`. Throws `RangeError`
 * for an invalid name.
 */
export function element(
  name: string,
  content: string | readonly XmlElement[] = '',
  attributes: XmlElement['attributes'] = [],
): XmlElement {
  checkName(name);
  for (const [attribute] of attributes) checkName(attribute);
  return typeof content === 'string'
    ? { name, attributes, children: [], text: content, selfClosing: false }
    : { name, attributes, children: content, text: '', selfClosing: content.length === 0 };
}

/**
 * A tree in the legacy form, on one line, with the text beside its elements; an empty element keeps its form. Names are
 * not checked.
 */
export const writeElement = (tree: XmlElement): string => elementText(tree, ({ texts }) => texts);

/** The content of a value with markup, in which the white space between elements counts. */
export const writeContent = (tree: XmlElement): string =>
  contentText(tree, ({ texts, blanks }) => texts ?? blanks);

type Beside = (element: XmlElement) => readonly (string | undefined)[] | undefined;

function elementText(tree: XmlElement, beside: Beside): string {
  const { name, children, text } = tree;
  let start = `<${name}`;
  for (const [attribute, value] of tree.attributes) start += ` ${attribute}="${escapeAttribute(value)}"`;
  if (children.length === 0 && text === '') return tree.selfClosing ? `${start} />` : `${start}></${name}>`;
  return `${start}>${contentText(tree, beside)}</${name}>`;
}

function contentText(tree: XmlElement, beside: Beside): string {
  if (tree.children.length === 0) return escapeText(tree.text);
  const texts = beside(tree) ?? [];
  let content = escapeText(texts[0] ?? '');
  let place = 0;
  for (const child of tree.children)
    content += elementText(child, beside) + escapeText(texts[(place += 1)] ?? '');
  return content;
}

/** A small document, as a request body: declaration and root on one line. Reading it back gives the same element. */
export function buildDocument(root: XmlElement): string {
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  append(document, root);
  return document.end();
}

/** The same document as bytes; for a large one, other calls get a turn after each piece. */
export async function buildDocumentInSteps(root: XmlElement): Promise<Buffer> {
  if (isSmall(root)) return Buffer.from(buildDocument(root), 'utf8');
  const done: Buffer[] = [];
  let pending = HEAD;
  for (const piece of piecesOf(root)) {
    pending += piece;
    if (pending.length < STEP) continue;
    done.push(Buffer.from(pending, 'utf8'));
    pending = '';
    await nextTurn();
  }
  return concatInSteps([...done, Buffer.from(pending, 'utf8')]);
}

/** Elements that xmlbuilder2 builds without a noticeable pause. */
const FEW = 200;

function isSmall(root: XmlElement): boolean {
  let [elements, characters] = [0, 0];
  const open = [root];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    elements += 1;
    characters += one.text.length;
    for (const [, value] of one.attributes) characters += value.length;
    if (elements > FEW || characters > STEP) return false;
    for (const child of one.children) open.push(child);
  }
  return true;
}

function* piecesOf({
  name,
  attributes,
  children,
  text,
  selfClosing,
}: XmlElement): Generator<string, undefined> {
  checkName(name);
  let start = `<${name}`;
  for (const [attribute, value] of attributes)
    start += ` ${checkName(attribute)}="${escapeAttribute(value)}"`;
  if (children.length === 0 && text === '') {
    yield selfClosing ? `${start}/>` : `${start}></${name}>`;
    return undefined;
  }
  yield `${start}>`;
  for (const child of children) yield* piecesOf(child);
  if (children.length === 0) yield* escapedInSteps(text);
  yield `</${name}>`;
  return undefined;
}

function* escapedInSteps(text: string): Generator<string, undefined> {
  for (let at = 0, end; at < text.length; at = end) {
    end = Math.min(at + STEP, text.length);
    // Surrogate pairs are not split: XML forbids each half alone.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield escapedForReader(text.slice(at, end));
  }
  return undefined;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** A failure in the legacy dialect. */
export function errorDocument(apiMethod: string | undefined, text: string): string {
  const document = create();
  const attributes: XmlElement['attributes'] = apiMethod === undefined ? [] : [['api-method', apiMethod]];
  append(
    document,
    element('Response', [element('Status', 'ERROR'), element('ErrorDescription', text)], attributes),
  );
  return DECLARATION + document.end({ headless: true });
}

/**
 * xmlbuilder2 leaves anything that looks like a (decimal) reference unchanged, so it gets its text escaped: otherwise
 * `&amp;` as a text would come back as `&`. A carriage return is written as a reference, because a reader would turn it
 * into a line feed. Characters that XML forbids are also replaced here: with its own `invalidCharReplacement`,
 * xmlbuilder2 copies each text character by character, and a document of 10 MB blocks the process for seconds.
 */
function append(parent: Builder, tree: XmlElement): void {
  const node = parent.ele(checkName(tree.name));
  for (const [name, value] of tree.attributes) node.att(checkName(name), escapeAttribute(value));
  if (tree.children.length > 0) {
    for (const child of tree.children) append(node, child);
    return;
  }
  if (tree.text !== '') node.txt(escapedForReader(tree.text));
  else if (!tree.selfClosing) node.txt('');
}

const escapedForReader = (text: string): string => escapeText(text).replaceAll('\r', '&#13;');
