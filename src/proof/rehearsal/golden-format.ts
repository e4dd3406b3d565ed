/**
 * The format of golden files (test/golden/README.md): sections that begin with `### name`, each with a
 * message: first line, headers, a blank line, and a body whose lines are joined without separators. The
 * section `identifiers` is a table of numbers with their UUIDs instead.
 */

/** One side of an exchange: first line, headers with lower-case names, body bytes. */
export interface GoldenMessage {
  readonly start: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A message to write. Header names stay as they are. */
export interface WrittenMessage {
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A number with its UUID. */
export interface GoldenPair {
  readonly kind: string;
  readonly number: number;
  readonly uuid: string;
}

const plain: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '\\': '\\' };

/** Lines are joined without separators; every real line break is written as an escape. */
function bytesOf(lines: readonly string[]): Buffer {
  const pieces = lines.join('').split(/(\\x[0-9A-F]{2}|\\.)/);
  return Buffer.concat(
    pieces.map((piece, index) => {
      if (index % 2 === 0) return Buffer.from(piece, 'utf8');
      if (piece.startsWith('\\x')) return Buffer.from(piece.slice(2), 'hex');
      const text = plain[piece.slice(1)];
      if (text === undefined) throw new Error(`the escape ${piece} is not one`);
      return Buffer.from(text, 'utf8');
    }),
  );
}

/** Parses the message of a section. Throws if it is invalid. */
export function parseMessage(text: string): GoldenMessage {
  const lines = text.replaceAll('\r\n', '\n').replace(/\n+$/, '').split('\n');
  const blank = lines.includes('') ? lines.indexOf('') : lines.length;
  const [start = '', ...headers] = lines.slice(0, blank);
  return {
    start,
    headers: Object.fromEntries(
      headers.map((line) => {
        const colon = line.indexOf(': ');
        if (colon < 1) throw new Error(`not a header: ${line}`);
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
      }),
    ),
    body: bytesOf(lines.slice(blank + 1)),
  };
}

/**
 * Splits a file into sections by name: a line `### name`, then the text up to the next. Throws for text
 * before the first.
 */
export function sectionsIn(text: string): ReadonlyMap<string, string> {
  const [before, ...sections] = text.split(/^### /m);
  if (before !== '') throw new Error('a golden file begins with a section');
  return new Map(
    sections.map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end + 1).replace(/^\n/, '')];
    }),
  );
}

/** Writes a message in the form that `parseMessage` reads. */
export function writeMessage({ start, headers, body }: WrittenMessage): string {
  const head = [start, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === '' ? head : `${head}\n\n${bodyLines(body)}`;
}

/** Starts a new layout line where the body has a line break, so that a difference shows in one line. */
const bodyLines = (body: string): string =>
  body
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\r\n', '\\r\\n\n')
    .replaceAll('\r', '\\r')
    .replace(/(?<!\\r\\n)\n/g, '\\n\n')
    .replace(/^#/gm, '\\x23')
    .replace(/\n+$/, '');

/** Writes a whole file. */
export const writeSections = (sections: readonly (readonly [name: string, text: string])[]): string =>
  sections.map(([name, text]) => `### ${name}\n\n${text}\n`).join('\n');

/** Reads the pairs of the section `identifiers`: a heading, then `client,1000000,5f3c…` in each line. */
export const pairsIn = (section: string): readonly GoldenPair[] =>
  section
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','))
    .map(([kind = '', number = '', uuid = '']) => ({ kind, number: Number(number), uuid: uuid.trim() }));

/** Converts `client/contact.get-0007.http` to `client.contact.get`. */
export const methodOfFile = (path: string): string => path.replace(/(?:-\d+)?\.http$/, '').replace('/', '.');

/** The position of the call, which is the number at the end of the name. */
export const placeOfFile = (path: string): number => Number(/-(\d+)\.http$/.exec(path)?.[1] ?? 0);
