/** The construct at the end of a piece of a document. */
type Place = 'text' | 'cdata' | 'comment' | 'instruction' | 'start' | 'end' | 'double' | 'single';

interface Part {
  /** Matches the start of another place, and carriage returns that a reader would drop. */
  readonly next: RegExp;
  /** The place after each match; `depth`: how many more elements are open then. */
  readonly moves: Readonly<Record<string, readonly [place: Place, depth: number]>>;
  /** Matches text that may become `next` with the following piece. */
  readonly begun?: RegExp;
  /** Replaces a carriage return. */
  readonly kept?: string;
}

const parts: Readonly<Record<Place, Part>> = {
  text: {
    next: /<!--|<!\[CDATA\[|<[?/]|<(?![!?/]|$)|\r/g,
    moves: {
      '<!--': ['comment', 0],
      '<![CDATA[': ['cdata', 0],
      '<?': ['instruction', 0],
      '</': ['end', 0],
      '<': ['start', 0],
    },
    begun: /<(?:!(?:-|\[[CDAT]{0,5})?)?$/,
    kept: '&#13;',
  },
  cdata: { next: /\]\]>|\r/g, moves: { ']]>': ['text', 0] }, begun: /\]\]?$/, kept: ']]>&#13;<![CDATA[' },
  comment: { next: /-->/g, moves: { '-->': ['text', 0] }, begun: /--?$/ },
  instruction: { next: /\?>/g, moves: { '?>': ['text', 0] }, begun: /\?$/ },
  start: {
    next: /\/?>|["']/g,
    moves: { '>': ['text', 1], '/>': ['text', 0], '"': ['double', 0], "'": ['single', 0] },
    begun: /\/$/,
  },
  end: { next: />/g, moves: { '>': ['text', -1] } },
  double: { next: /"/g, moves: { '"': ['start', 0] } },
  single: { next: /'/g, moves: { "'": ['start', 0] } },
};

/** The characters of the longest `next` except its last. */
const LONGEST_BEGUN = '<![CDATA'.length;
/** Text that only `LineEnds.#kept` can handle. */
const INVOLVED = /\r|<[!?]/;
/** In characters; a longer one may end many pieces later. */
const LONGEST_TAG = 256;

/**
 * Keeps the line ends of texts as the service wrote them. V1's were passed on untouched, but every XML reader turns CR
 * LF into LF (XML 1.0, 2.11); so each carriage return of a text is written as a reference.
 */
export class LineEnds {
  #place: Place = 'text';
  #held = '';

  /**
   * Returns the next piece of the document; its end may be held back until the piece after it. `depth`: elements that
   * are open after the pieces so far.
   */
  take(piece: string, depth: number): string {
    const text = this.#held + piece;
    const plain = this.#plain(text);
    if (plain === undefined) return this.#kept(text, depth);
    this.#held = text.slice(plain);
    return text.slice(0, plain);
  }

  /** The text held back when the document ended. */
  end(): string {
    return this.#held;
  }

  /** The position of an unfinished tag in a piece that consists only of tags and texts, as nearly all do. */
  #plain(text: string): number | undefined {
    if (this.#place !== 'text' || INVOLVED.test(text)) return undefined;
    const last = text.lastIndexOf('<');
    if (last < 0) return text.length;
    const end = text.indexOf('>', last);
    const tag = text.slice(last, end < 0 ? undefined : end);
    if (tag.length > LONGEST_TAG || /["']/.test(tag)) return undefined;
    return end < 0 ? last : text.length;
  }

  #kept(text: string, open: number): string {
    let [written, from, at, depth] = ['', 0, 0, open];
    for (;;) {
      const { next, moves, kept = '' } = parts[this.#place];
      next.lastIndex = at;
      const token = next.exec(text)?.[0];
      if (token === undefined) break;
      at = next.lastIndex;
      const [place, deeper] = moves[token] ?? [this.#place, 0];
      this.#place = place;
      depth += deeper;
      // Outside the root a reference would be a fault.
      if (token !== '\r' || depth === 0) continue;
      written += text.slice(from, at - 1) + kept;
      from = at;
    }
    const rest = text.slice(Math.max(at, text.length - LONGEST_BEGUN));
    this.#held = parts[this.#place].begun?.exec(rest)?.[0] ?? '';
    return written + text.slice(from, text.length - this.#held.length);
  }
}

/** The same for a whole document. */
export function withLineEnds(text: string): string {
  const lineEnds = new LineEnds();
  return lineEnds.take(text, 0) + lineEnds.end();
}
