import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMessage, sectionsIn, type GoldenMessage } from '../../src/proof/rehearsal/golden-format.ts';

/** One side of an exchange as a golden file holds it. */
export type Message = GoldenMessage;

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

/** The identifiers of all methods that have a golden file. */
export const goldenMethods = (): readonly string[] =>
  globSync('*/*.http', { cwd: home }).map((path) => path.replace('/', '.').replace(/\.http$/, ''));

type Sections = ReadonlyMap<string, string>;

const sectionsOf = (id: string): Sections =>
  sectionsIn(readFileSync(join(home, `${id.replace('.', '/')}.http`), 'utf8'));

const known = /^(?:call|identifiers|reply|reply from V2|V1 request|V[23] (?:request|answer)(?: \d+)?)$/;

function needed(id: string, sections: Sections, name: string): string {
  const text = sections.get(name);
  if (text === undefined) throw new Error(`${id}: the section "${name}" is missing`);
  return text;
}

/** `V3 request` and `V3 answer`, or `V3 request 1`, `V3 answer 1`, `V3 request 2`, …; none where the bridge answers itself. */
function exchangesWith(service: 'V2' | 'V3', id: string, sections: Sections): readonly Exchange[] {
  return Array.from(sections.keys())
    .filter((name) => name.startsWith(`${service} request`))
    .map((name) => ({
      request: parseMessage(needed(id, sections, name)),
      answer: parseMessage(needed(id, sections, name.replace('request', 'answer'))),
    }));
}

/** V1 receives the call below its own root, and its answer is the reply. */
function passThrough(id: string, sections: Sections): readonly Exchange[] {
  const request = sections.get('V1 request') ?? needed(id, sections, 'call').replace(' /', ' /v1/');
  return [{ request: parseMessage(request), answer: parseMessage(needed(id, sections, 'reply')) }];
}

function pairsOf(id: string, sections: Sections): GoldenMethod['pairs'] {
  const [head, ...rows] = needed(id, sections, 'identifiers').trim().split(/\r?\n/);
  if (head !== 'kind,number,uuid') throw new Error(`${id}: identifiers begin with kind,number,uuid`);
  return rows.map((row) => {
    const [kind = '', number = '', uuid = ''] = row.split(',');
    return { kind, number: Number(number), uuid };
  });
}

export function readGolden(id: string): GoldenMethod {
  const sections = sectionsOf(id);
  const unknown = Array.from(sections.keys()).filter((name) => !known.test(name));
  if (unknown.length > 0) throw new Error(`${id}: no such section: ${unknown.join(', ')}`);
  const lossy = sections.get('reply from V2');
  return {
    id,
    call: parseMessage(needed(id, sections, 'call')),
    pairs: pairsOf(id, sections),
    passThrough: passThrough(id, sections),
    forward: exchangesWith('V3', id, sections),
    translate: exchangesWith('V2', id, sections),
    reply: parseMessage(needed(id, sections, 'reply')),
    lossyReply: lossy === undefined ? undefined : parseMessage(lossy),
  };
}

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
