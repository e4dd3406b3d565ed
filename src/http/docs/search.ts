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
/** The words of a query in their order, nearly in a row: "change their base URL". */
const CLOSE = 20;
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
 * Searches the pages: each word must occur in page title, heading, description or text. A part in which one is only
 * found within another word counts if there is no better one. If no part has all of them, those with the most are
 * found. The texts together are small enough to scan for each search, so there is no index.
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
    const most = Math.max(0, ...scored.map(({ found }) => found));
    if (most <= words.length / 2) return [];
    const full = scored.filter(({ found }) => found === most);
    const starts = Math.max(...full.map(({ started }) => started));
    return full
      .filter(({ started }) => started === starts)
      .map(({ part, score }) => ({ part, score: score + closeness(part, words) }))
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

interface Score {
  /** How many of the words occur. */
  readonly found: number;
  /** How many of them occur at the start of a word. */
  readonly started: number;
  readonly score: number;
}

/** A whole word counts more than the start of one, and that more than another part: "rate" in "operates". */
const fits = { whole: 4, start: 2, inside: 1 } as const;

/** How many of the words occur, and how well. */
function scoreOf({ lower }: Part, words: readonly string[], phrase: string | undefined): Score {
  const isPhrase = phrase !== undefined && places.some((place) => lower[place].includes(phrase));
  let score = isPhrase ? PHRASE : 0;
  let [found, started] = [0, 0];
  for (const word of words) {
    const own = places.map((place) => ({ place, fit: fitIn(lower[place], word) }));
    if (own.some(({ fit }) => fit !== undefined)) found += 1;
    if (own.some(({ fit }) => fit === 'whole' || fit === 'start')) started += 1;
    for (const { place, fit } of own) score += fit === undefined ? 0 : weights[place] * fits[fit];
  }
  return { found, started, score };
}

/** The best of the places at which a word occurs. */
function fitIn(text: string, word: string): keyof typeof fits | undefined {
  let best: keyof typeof fits | undefined;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isStart = !isOfWord(text[at - 1]);
    if (isStart && !isOfWord(text[at + word.length])) return 'whole';
    best = isStart ? 'start' : (best ?? 'inside');
  }
  return best;
}

/** More for words that follow each other with at most three others between two of them. */
function closeness({ lower }: Part, words: readonly string[]): number {
  if (words.length < 2) return 0;
  const close = new RegExp(words.map(escaped).join(BETWEEN), 'u');
  return Math.max(...places.map((place) => (close.test(lower[place]) ? CLOSE * weights[place] : 0)));
}

const escaped = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const BETWEEN = String.raw`[\p{L}\p{N}_]*(?:[^\p{L}\p{N}_]+[\p{L}\p{N}_]+){0,3}[^\p{L}\p{N}_]+`;

const isOfWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);

/** `sought`: the first that occurs is shown. */
function hitOf({ page, title, anchor, text, lower }: Part, sought: readonly string[], lacks: number): Hit {
  const first = sought.find((one) => lower.text.includes(one)) ?? '';
  const at = shownAt(lower.text, first);
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

/** Where a word starts, or else where it occurs. */
function shownAt(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1))
    if (!isOfWord(text[at - 1])) return at;
  return text.indexOf(word);
}
