/**
 * Finds the elements of a message that hold a value: their paths and how often they occur, never the values.
 *
 * A message may be cut, malformed or hostile: everything read up to that point counts. Depth, the length of names and
 * the number of different paths are limited.
 */
import { XmlFault, type XmlLimits } from '../../../lib/xml/element.ts';
import { defaultLimits } from '../../../lib/xml/limits.ts';
import { Parser, type ParserEvents } from '../../../lib/xml/parser.ts';
import { Refusal } from '../../../lib/xml/refusal.ts';
import { nextTurn } from '../../../lib/time/turn.ts';
import { OTHER } from './account-use.ts';

/** The most bytes of a message that are read. */
export const MOST_READ = 64 * 1_024;
/** Bytes parsed before other work runs: about a quarter of a millisecond. */
const SLICE = 8 * 1_024;
const DEEPEST = 16;
const MOST_PATHS = 300;
/** Longest name and longest path, in characters. */
const LONGEST_NAME = 64;
const LONGEST_PATH = 200;
/** A name as the service spells names. Others are not kept. */
const NAME = /^[A-Za-z_][\w.-]*$/;
const SOMETHING = /\S/;

const limits: XmlLimits = { ...defaultLimits, nameLength: 256 };

/** The open elements, and whether the innermost has a value so far. */
interface Open {
  readonly path: string;
  hasText: boolean;
  hasChildren: boolean;
}

class PathCounter implements ParserEvents {
  readonly paths = new Map<string, number>();
  /** Paths in a reply omit the root. */
  readonly #isReply: boolean;
  readonly #open: Open[] = [];

  constructor(isReply: boolean) {
    this.#isReply = isReply;
  }

  open(name: string): void {
    if (this.#open.length >= DEEPEST) throw new Refusal('too-large');
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.hasChildren = true;
    this.#open.push({ path: this.#pathOf(parent?.path, name), hasText: false, hasChildren: false });
  }

  text(text: string): void {
    const open = this.#open.at(-1);
    if (open !== undefined && !open.hasText) open.hasText = SOMETHING.test(text);
  }

  close(): void {
    const open = this.#open.pop();
    if (open !== undefined) this.#count(open);
  }

  #pathOf(parent: string | undefined, name: string): string {
    if (parent === undefined) return this.#isReply ? '' : kept(name);
    if (parent === OTHER) return OTHER;
    const path = parent === '' ? kept(name) : `${parent}/${kept(name)}`;
    return path.length > LONGEST_PATH || path.endsWith(OTHER) ? OTHER : path;
  }

  #count({ path, hasText, hasChildren }: Open): void {
    if (!hasText || hasChildren || path === '' || (this.#isReply && ENVELOPE.has(path))) return;
    const name = this.paths.has(path) || this.paths.size < MOST_PATHS ? path : OTHER;
    this.paths.set(name, (this.paths.get(name) ?? 0) + 1);
  }
}

/** Elements of every reply. */
const ENVELOPE: ReadonlySet<string> = new Set(['Status', 'ErrorDescription']);

const kept = (name: string): string => (name.length <= LONGEST_NAME && NAME.test(name) ? name : OTHER);

/** A parameter's name if it may be kept, in lower case, because the service ignores the case. */
export const parameterName = (name: string): string => kept(name).toLowerCase();

/**
 * The paths of elements with a value, with their counts. `isReply`: paths below the root. Reads in slices and yields
 * between them; never rejects.
 */
export async function elementNames(
  message: Uint8Array,
  isReply: boolean,
): Promise<ReadonlyMap<string, number>> {
  const counter = new PathCounter(isReply);
  await readElements(message, counter);
  return counter.paths;
}

/**
 * Reports the elements of a message to `events`, as far as the message is read and readable. Reads in slices and
 * yields between them; never rejects.
 */
export async function readElements(message: Uint8Array, events: ParserEvents): Promise<void> {
  const parser = new Parser(limits, events);
  const decoder = new TextDecoder(encodingOf(message));
  try {
    for (let at = 0; at < message.length && at < MOST_READ; at += SLICE) {
      if (at > 0) await nextTurn();
      parser.write(decoder.decode(message.subarray(at, at + SLICE), { stream: true }));
    }
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
  }
}

/** Names are ASCII, so any single-byte encoding will do. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
