import { setImmediate as turn } from 'node:timers/promises';
import { HOME, type DocLibrary, type DocPage } from './library.ts';
import { headingsIn, linksIn, plain } from './markdown-text.ts';

/** A part of a page, from one heading to the next. */
interface Part {
  readonly page: DocPage;
  readonly title: string;
  readonly anchor: string;
  readonly text: string;
  /** In lower case, weighted separately: page, heading, description in the table of contents, and text. */
  readonly lower: Readonly<Record<Place, string>>;
}

type Place = keyof typeof weights;

/** A part that contains the words, and the text around the first of them. */
export interface Hit {
  readonly page: DocPage;
  readonly title: string;
  readonly anchor: string;
  readonly before: string;
  readonly word: string;
  readonly after: string;
  /** How many of the words it does not contain: the same for all hits, and 0 if any part contains every word. */
  readonly lacks: number;
}

const MOST = 30;
const AROUND = 110;
const MOST_WORDS = 8;
const weights = { page: 8, title: 12, about: 6, text: 1 } as const;
const places = Object.keys(weights) as readonly Place[];
/** The words of a query in a row. More than any other match. */
const PHRASE = 1_000;
/** They say nothing about a section. Negations do. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about an and are as at be been by can did do does for from had has have how i if in is it its my of on or our ' +
    'so that the their them there these they this those to was we were what when where which who why will with you your'
  ).split(' '),
);
/** Around a word as it is quoted. */
const QUOTING = /^["'“”‘’(]+|["'“”‘’),.!?]+$/g;

/**
 * Searches the pages: each word must occur in page title, heading, description or text, also within another word. If no
 * part has all of them, those with the most are found. The texts together are small enough to scan for each search, so
 * there is no index.
 */
export class DocSearch {
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** Splits the pages into parts, one page in a turn. */
  static async over(library: DocLibrary): Promise<DocSearch> {
    const parts: Part[] = [];
    const descriptions = descriptionsIn(library);
    for (const page of library.pages) {
      for (const { level, title, anchor, body } of headingsIn(page.text)) {
        const described = `${page.path}#${level === 1 ? '' : anchor}`;
        const text = plain(body);
        const lower = {
          page: page.title.toLowerCase(),
          title: title.toLowerCase(),
          about: (descriptions.get(described) ?? '').toLowerCase(),
          text: text.toLowerCase(),
        };
        parts.push({ page, title, anchor, text, lower });
      }
      await turn();
    }
    return new DocSearch(parts);
  }

  /** The best matches first. */
  find(query: string): readonly Hit[] {
    const given = query
      .toLowerCase()
      .split(/\s+/)
      .map((word) => word.replaceAll(QUOTING, ''))
      .filter(Boolean)
      .slice(0, MOST_WORDS);
    const telling = given.filter((word) => !STOP_WORDS.has(word));
    const words = telling.length === 0 ? given : telling;
    const phrase = given.length > 1 ? given.join(' ') : undefined;
    const scored = this.#parts.map((part) => ({ part, ...scoreOf(part, words, phrase) }));
    const most = scored.reduce((longest, { found }) => Math.max(longest, found), 0);
    if (most <= words.length / 2) return [];
    return scored
      .filter(({ found }) => found === most)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MOST)
      .map(({ part }) => hitOf(part, phrase === undefined ? words : [phrase, ...words], words.length - most));
  }
}

/** The descriptions of pages and sections in the table of contents, by `path#anchor`. */
function descriptionsIn(library: DocLibrary): ReadonlyMap<string, string> {
  const home = library.pages.find(({ path }) => path === HOME);
  const descriptions = new Map<string, string>();
  for (const [, names = '', about = ''] of (home?.text ?? '').matchAll(/^\| (.+?) \| (.+) \|$/gm))
    for (const link of linksIn(names)) {
      const target = home && library.resolve(home, link);
      if (target?.kind === 'page')
        descriptions.set(`${target.page.path}#${target.anchor ?? ''}`, plain(about));
    }
  return descriptions;
}

/** How many of the words occur, and how well. A whole word counts more than part of one. */
function scoreOf(
  { lower }: Part,
  words: readonly string[],
  phrase: string | undefined,
): { readonly found: number; readonly score: number } {
  const isPhrase = phrase !== undefined && places.some((place) => lower[place].includes(phrase));
  let score = isPhrase ? PHRASE : 0;
  let found = 0;
  for (const word of words) {
    let own = 0;
    for (const place of places) {
      const at = lower[place].indexOf(word);
      if (at < 0) continue;
      const isWhole = !isOfWord(lower[place][at - 1]) && !isOfWord(lower[place][at + word.length]);
      own += weights[place] * (isWhole ? 2 : 1);
    }
    if (own > 0) found += 1;
    score += own;
  }
  return { found, score };
}

const isOfWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);

/** `sought`: the first that occurs is shown. */
function hitOf({ page, title, anchor, text, lower }: Part, sought: readonly string[], lacks: number): Hit {
  const first = sought.find((one) => lower.text.includes(one)) ?? '';
  const at = lower.text.indexOf(first);
  if (first === '')
    return { page, title, anchor, before: text.slice(0, 2 * AROUND), word: '', after: '', lacks };
  const from = Math.max(0, at - AROUND);
  const end = at + first.length;
  return {
    page,
    title,
    anchor,
    before: (from > 0 ? '…' : '') + text.slice(from, at),
    word: text.slice(at, end),
    after: text.slice(end, end + AROUND) + (end + AROUND < text.length ? '…' : ''),
    lacks,
  };
}
