import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One side of an exchange as a golden file holds it: first line, headers with lower-case names, body bytes. */
export interface Message {
  readonly start: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Exchange {
  readonly request: Message;
  readonly answer: Message;
}

export interface GoldenMethod {
  readonly id: string;
  readonly call: Message;
  readonly pairs: readonly { readonly kind: string; readonly number: number; readonly uuid: string }[];
  readonly passThrough: readonly Exchange[];
  readonly forward: readonly Exchange[];
  /** Empty where the method has no V2 way. */
  readonly translate: readonly Exchange[];
  readonly reply: Message;
  /** What the caller gets from V2, where that differs from `reply`: a named loss. */
  readonly lossyReply: Message | undefined;
}

const home = import.meta.dirname;

export const goldenFolders = (): readonly string[] =>
  readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

const plain: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', '\\': '\\' };

/** Lines are joined without anything between them; every real line break is written as an escape (README.md). */
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

export function parseMessage(text: string): Message {
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

const readMessage = (...path: readonly string[]): Message =>
  parseMessage(readFileSync(join(home, ...path), 'utf8'));

/** Nothing where the bridge answers itself. `request.http` and `answer.http`, or `request-1.http`, `answer-1.http`, `request-2.http`, … */
function readLane(id: string, lane: string): Exchange[] {
  if (!existsSync(join(home, id, lane))) return [];
  const requests = readdirSync(join(home, id, lane))
    .filter((name) => name.startsWith('request'))
    .sort();
  if (requests.length === 0) throw new Error(`${id}/${lane} holds no request`);
  return requests.map((name) => ({
    request: readMessage(id, lane, name),
    answer: readMessage(id, lane, name.replace('request', 'answer')),
  }));
}

function readPairs(id: string): GoldenMethod['pairs'] {
  const [head, ...rows] = readFileSync(join(home, id, 'crosswalk.csv'), 'utf8')
    .trim()
    .split(/\r?\n/);
  if (head !== 'kind,number,uuid') throw new Error(`${id}/crosswalk.csv begins with kind,number,uuid`);
  return rows.map((row) => {
    const [kind = '', number = '', uuid = ''] = row.split(',');
    return { kind, number: Number(number), uuid };
  });
}

export const readGolden = (id: string): GoldenMethod => ({
  id,
  call: readMessage(id, 'call.http'),
  pairs: readPairs(id),
  passThrough: readLane(id, 'pass-through'),
  forward: readLane(id, 'forward'),
  translate: readLane(id, 'translate'),
  reply: readMessage(id, 'reply.http'),
  lossyReply: existsSync(join(home, id, 'translate', 'reply.http'))
    ? readMessage(id, 'translate', 'reply.http')
    : undefined,
});

export interface StartLine {
  readonly verb: string;
  readonly target: string;
}

export function requestLine(message: Message): StartLine {
  const [verb = '', target = '', version] = message.start.split(' ');
  if (version !== 'HTTP/1.1') throw new Error(`not a request line: ${message.start}`);
  return { verb, target };
}

export function statusOf(message: Message): number {
  const match = /^HTTP\/1\.1 (\d{3}) /.exec(message.start);
  if (!match) throw new Error(`not a status line: ${message.start}`);
  return Number(match[1]);
}
