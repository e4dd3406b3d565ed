/** Writes values of the mapping as PHP, so that nothing in them can end a string or a comment. */

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** In single quotes only a quote and a backslash are special; control characters are written as codes. */
export function phpString(given: string): string {
  const text = given.toWellFormed();
  if (text.search(CONTROL) < 0) return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
  const escaped = text.replaceAll(/[\\"$]/g, String.raw`\$&`);
  return `"${escaped.replaceAll(CONTROL, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)}"`;
}

/** Length of a line. */
const WIDTH = 110;

/** Writes a value as PHP, on as few lines as possible; omits `undefined`. */
export function phpLiteral(value: unknown, indent = 0): string {
  if (typeof value === 'string') return phpString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => phpLiteral(one, indent + 4))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => `${phpString(name)} => ${phpLiteral(one, indent + 4)}`);
  const line = `[${parts.join(', ')}]`;
  if (line.length + indent < WIDTH && !line.includes('\n')) return line;
  const space = ' '.repeat(indent + 4);
  return `[\n${parts.map((part) => `${space}${part},\n`).join('')}${' '.repeat(indent)}]`;
}

/** A row without fields that only another language or V2 needs. */
export const without = (row: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

/** Converts a name to letters, digits and `_`, which PHP accepts. */
export const phpName = (text: string): string => text.replaceAll(/\W/g, '_').replace(/^(?=\d|__|$)/, 'x');

/** Converts `client.contact` to `ClientContact`. */
export const className = (parts: readonly string[]): string =>
  parts.map((part) => phpName(part).replace(/^./, (first) => first.toUpperCase())).join('');
