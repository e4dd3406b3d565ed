/** The XML of V3: read without a document type, written in a plain form. */

/** An element with its text; if it has children, the text between them is ignored. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface Growing {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Growing[];
  text: string;
}

/** CDATA, comment, instruction, end tag, start tag, text. A document type does not match. */
const TOKEN =
  /<!\[CDATA\[([^]*?)\]\]>|<!--[^]*?-->|<\?[^]*?\?>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?]+)((?:\s+[^\s=<>/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const MOST_DEPTH = 64;

/** Throws `SyntaxError` for anything but one well-formed document without a document type. */
export function readXml(text: string): XmlElement {
  const root: Growing = { name: '', attributes: {}, children: [], text: '' };
  const open: Growing[] = [root];
  TOKEN.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new SyntaxError(`not XML at character ${at}`);
    take(match, open);
  }
  const [document] = root.children;
  if (open.length !== 1 || document === undefined || root.children.length > 1 || root.text.trim() !== '')
    throw new SyntaxError('not one XML document');
  return document;
}

function take([, cdata, end, start, attributes = '', empty, plain]: RegExpExecArray, open: Growing[]): void {
  const around = open.at(-1);
  if (around === undefined) throw new SyntaxError('an end tag too many');
  if (cdata !== undefined) around.text += cdata;
  if (plain !== undefined) around.text += unescaped(plain);
  if (end !== undefined && (open.pop()?.name !== end || open.length === 0))
    throw new SyntaxError(`</${end}> ends nothing`);
  if (start === undefined) return;
  const element: Growing = { name: start, attributes: attributesIn(attributes), children: [], text: '' };
  around.children.push(element);
  if (empty !== '/') open.push(element);
  if (open.length > MOST_DEPTH) throw new SyntaxError('nested too deeply');
}

const attributesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(text.matchAll(ATTRIBUTE), ([, name = '', double, single]) => [
      name,
      unescaped(double ?? single ?? ''),
    ]),
  );

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));|&/gi, (_, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal ?? NaN) : Number.parseInt(hex as string, 16);
    if (!Number.isNaN(code)) return String.fromCodePoint(code);
    const known = typeof name === 'string' && Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    if (known === undefined) throw new SyntaxError('an unknown entity');
    return known;
  });
}

/** Characters that no XML document can contain, and those with a special meaning. */
const SPECIAL = /[&<>"\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

const escaped = (text: string): string => text.replaceAll(SPECIAL, (found) => ESCAPES[found] ?? '\uFFFD');

/** Writes the element without an XML declaration. */
export function writeXml({ name, attributes, children, text }: XmlElement): string {
  const given = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('');
  const inner = children.length > 0 ? children.map(writeXml).join('') : escaped(text);
  return inner === '' ? `<${name}${given} />` : `<${name}${given}>${inner}</${name}>`;
}
