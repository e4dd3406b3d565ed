import { Failure } from '../../lib/failure.ts';
import { isDigitsBehind, isSlashedNumber } from '../../lib/text/slashed-number.ts';
import { TEXT_NUMBER, type CallPattern, type Method } from '../../mapping/compile/model.ts';
import type { V2Step } from '../../mapping/compile/v2/v2-model.ts';

/**
 * Numbers with slashes in an address. `24/customfield` is not a number: a server that decodes `%2F` too early would
 * read another method's address, so no part after a slash may be a word that occurs in an address.
 */
export class SlashedNumbers {
  readonly #words: ReadonlySet<string>;

  constructor(methods: readonly Method[]) {
    this.#words = new Set(methods.flatMap(wordsOf));
  }

  /** Throws `Failure` badRequest for a slash in anything but the number of a job, invoice, quote or order. */
  check(pattern: CallPattern | undefined, segments: readonly string[]): void {
    for (const [index, segment] of segments.entries()) {
      if (!segment.includes('/') || isDigitsBehind(segment)) continue;
      const place = pattern?.segments[index];
      const isNumber = place !== undefined && 'kind' in place && place.kind === TEXT_NUMBER;
      if (!isNumber || !this.isNumber(segment))
        throw new Failure('badRequest', { text: 'The address could not be read' });
    }
  }

  /** The segments, with those of one number joined if its slashes were not encoded; undefined if they do not fit. */
  joined({ segments: pattern }: CallPattern, segments: readonly string[]): readonly string[] | undefined {
    const at = pattern.findIndex((segment) => 'kind' in segment && segment.kind === TEXT_NUMBER);
    const end = at + 1 + segments.length - pattern.length;
    if (at < 0 || end <= at + 1) return undefined;
    const number = segments.slice(at, end).join('/');
    return this.isNumber(number) ? [...segments.slice(0, at), number, ...segments.slice(end)] : undefined;
  }

  /** Whether a text with slashes is a number and cannot be read as an address. */
  isNumber(text: string): boolean {
    const [, ...behind] = text.split('/');
    return isSlashedNumber(text) && !behind.some((part) => this.#words.has(wordIn(part)));
  }
}

/**
 * The word that a careless server would read: without parameters, query or fragment, in the plain form of its letters.
 */
const wordIn = (part: string): string =>
  (part.normalize('NFKC').split(/[;?#]/, 1)[0] ?? '').trim().toLowerCase();

/** The words that follow a placeholder in the addresses of a method, legacy or upstream. */
function wordsOf({ legacy, v3, elsewhere, v2 }: Method): readonly string[] {
  const patterns = [...legacy, v3, ...(elsewhere ? [elsewhere] : [])];
  return [
    ...patterns.flatMap(({ segments }) =>
      behindPlace(segments.map((segment) => ('literal' in segment ? segment.literal : undefined))),
    ),
    ...(v2?.way === 'steps' ? v2.steps.flatMap(wordsOfStep) : []),
  ];
}

const wordsOfStep = ({ segments, before }: V2Step): readonly string[] => [
  ...behindPlace(
    segments.map((template) =>
      template.every((part) => typeof part === 'string') ? template.join('') : undefined,
    ),
  ),
  ...(before ? wordsOfStep(before) : []),
];

/** Undefined: a placeholder. */
function behindPlace(words: readonly (string | undefined)[]): readonly string[] {
  const place = words.indexOf(undefined);
  return place < 0 ? [] : words.slice(place).flatMap((word) => word?.toLowerCase() ?? []);
}
