import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { inHtml } from '../../lib/text/html-text.ts';

type Values = Readonly<Record<string, unknown>>;

/** Texts by their path in the file, such as `connect.title`. */
type Texts = ReadonlyMap<string, string | readonly string[]>;

const folder = join(import.meta.dirname, 'pages', 'texts');
const ENGLISH = 'en';

/**
 * The texts of one page in one language. Throws if a text is missing: the page cannot be rendered without it.
 */
export class Words {
  /** BCP 47 tag for the page's `lang`. */
  readonly language: string;
  readonly #texts: Texts;

  constructor(language: string, texts: Texts) {
    this.language = language;
    this.#texts = texts;
  }

  /** Plain text. Placeholders inside the values are not replaced. */
  say(name: string, values: Values = {}): string {
    const text = this.#texts.get(name);
    if (typeof text !== 'string') throw new Error(`there is no text ${name} in ${this.language}`);
    return filled(text, values, (value) => value);
  }

  /** HTML: everything is escaped, and `**…**` in the text, never in a value, becomes bold. */
  rich(name: string, values: Values = {}): string {
    const marked = inHtml(this.say(name)).replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>');
    return filled(marked, values, inHtml);
  }

  lines(name: string, values: Values = {}): readonly string[] {
    const text = this.#texts.get(name);
    if (text === undefined || typeof text === 'string')
      throw new Error(`there are no lines ${name} in ${this.language}`);
    return text.map((line) => filled(line, values, (value) => value));
  }

  /** In UTC, as in the e-mails. Plain `en` uses British order, day before month, like the texts. */
  day(at: number): string {
    const locale = this.language === ENGLISH ? 'en-GB' : this.language;
    return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  }
}

/** All languages the pages have texts in. */
export class PageTexts {
  readonly #languages: ReadonlyMap<string, Words>;
  readonly #english: Words;

  constructor() {
    const files = readdirSync(folder).map((name) => [name.replace(/\.yaml$/, ''), textsIn(name)] as const);
    this.#languages = new Map(files.map(([language, texts]) => [language, new Words(language, texts)]));
    const english = this.#languages.get(ENGLISH);
    if (english === undefined) throw new Error('there are no English pages');
    this.#english = english;
  }

  get languages(): readonly string[] {
    return [...this.#languages.keys()];
  }

  /** The first requested language, or its base (`de` for `de-at`), that has texts; otherwise English. */
  of(...wanted: readonly (string | undefined)[]): Words {
    for (const one of wanted) {
      const language = one?.toLowerCase() ?? '';
      const found = this.#languages.get(language) ?? this.#languages.get(language.split('-')[0] ?? '');
      if (found !== undefined) return found;
    }
    return this.#english;
  }
}

const MOST_LANGUAGES = 20;

/** The languages of an `Accept-Language` header, most preferred first (RFC 9110, section 12.5.4). */
export function languagesIn(header: string | undefined): readonly string[] {
  const ranges = (header ?? '').split(',', MOST_LANGUAGES).map((range) => {
    const [language = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
    return { language, weight: weight === undefined ? 1 : Number(weight) };
  });
  return ranges
    .filter(({ language, weight }) => /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(language) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ language }) => language);
}

function textsIn(file: string): Texts {
  const texts = new Map<string, string | readonly string[]>();
  const gather = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, value);
    else if (Array.isArray(value)) texts.set(path, value.map(String));
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) gather(inner, path === '' ? key : `${path}.${key}`);
  };
  gather(parse(readFileSync(join(folder, file), 'utf8')), '');
  return texts;
}

const filled = (text: string, values: Values, form: (value: string) => string): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' ? form(String(value)) : whole;
  });
