import { setImmediate as turn } from 'node:timers/promises';
import type { DocLibrary, DocPage } from './library.ts';
import { headingsIn, plain } from './markdown-text.ts';

/** A part of a page, from one heading to the next. */
interface Part {
  readonly page: DocPage;
  readonly title: string;
  readonly anchor: string;
  readonly text: string;
  /** In lower case: page, heading and text are weighted separately. */
  readonly lower: { readonly page: string; readonly title: string; readonly text: string };
}

/** A part that contains every word, and the text around the first of them. */
export interface Hit {
  readonly page: DocPage;
  readonly title: string;
  readonly anchor: string;
  readonly before: string;
  readonly word: string;
  readonly after: string;
}

const MOST = 30;
const AROUND = 110;
const MOST_WORDS = 8;
const weights = { page: 8, title: 12, text: 1 } as const;

/**
 * Searches the pages: each word must occur in page title, heading or text, also within another word. The texts together
 * are small enough to scan for each search, so there is no index.
 */
export class DocSearch {
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** Splits the pages into parts, one page in a turn. */
  static async over(library: DocLibrary): Promise<DocSearch> {
    const parts: Part[] = [];
    for (const page of library.pages) {
      for (const { title, anchor, body } of headingsIn(page.text)) {
        const text = plain(body);
        const lower = {
          page: page.title.toLowerCase(),
          title: title.toLowerCase(),
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
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
    if (words.length === 0) return [];
    return this.#parts
      .map((part) => ({ part, score: scoreOf(part, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, MOST)
      .map(({ part }) => hitOf(part, words));
  }
}

/** 0 if a word is missing. A whole word counts more than part of one. */
function scoreOf({ lower }: Part, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    let own = 0;
    for (const place of ['page', 'title', 'text'] as const) {
      const at = lower[place].indexOf(word);
      if (at < 0) continue;
      const isWhole = !isOfWord(lower[place][at - 1]) && !isOfWord(lower[place][at + word.length]);
      own += weights[place] * (isWhole ? 2 : 1);
    }
    if (own === 0) return 0;
    score += own;
  }
  return score;
}

const isOfWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);

function hitOf({ page, title, anchor, text, lower }: Part, words: readonly string[]): Hit {
  const [first = ''] = words;
  const at = lower.text.indexOf(first);
  if (at < 0) return { page, title, anchor, before: text.slice(0, 2 * AROUND), word: '', after: '' };
  const from = Math.max(0, at - AROUND);
  const end = at + first.length;
  return {
    page,
    title,
    anchor,
    before: (from > 0 ? '…' : '') + text.slice(from, at),
    word: text.slice(at, end),
    after: text.slice(end, end + AROUND) + (end + AROUND < text.length ? '…' : ''),
  };
}
