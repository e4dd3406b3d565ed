/**
 * The texts of the customers' pages and e-mails, by language (docs/campaign/texts.md).
 *
 * The product's own are in `languages/`, one file for each language. English defines which texts exist, whether each
 * is one line or a list, and which values may appear in it. Every other source is checked against it: the product's
 * other languages by a test, a folder of the operator at start, and the console's editor before anything is stored. A
 * source may replace single texts of a language, or add a whole language. All faults are reported together, each with
 * its place. `Catalogue.of` chooses a language; `Words` fills the texts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from '../../lib/text/yaml.ts';
import { isPluralForm, placeholdersIn, pluralBase } from './text.ts';

/** One text: a line, or a list of lines. */
export type Text = string | readonly string[];

/** Texts by their path in the file, such as `connect.title`. */
export type Texts = ReadonlyMap<string, Text>;

/** By language, BCP 47 in lower case. */
export type TextsByLanguage = ReadonlyMap<string, Texts>;

/** Unusable texts: one line per fault, with its place. */
export class TextsFault extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'TextsFault';
    this.faults = faults;
  }
}

const ENGLISH = 'en';
const LONGEST = 2_000;
const MOST_LINES = 12;
const own = join(import.meta.dirname, 'languages');

/** Values that every text can name; `service` in its four forms. */
const everywhere = ['asker', 'brand', 'service', 'inService', 'ofService', 'toService'];
/** Values that every text of a section can name. */
const inSection: Readonly<Record<string, readonly string[]>> = {
  letters: ['account'],
  shared: ['account'],
  connect: ['account'],
  forward: ['account'],
  status: ['account'],
};
/** Values without which a text misses its purpose. */
const needed: Readonly<Record<string, readonly string[]>> = {
  'forward.text': ['address'],
  'layout.questions': ['support'],
  'shared.questionsSupport': ['support'],
};

const uncapped = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);

/** The values that a text may name, according to its English form and its section. */
export function allowedIn(english: Texts, path: string): readonly string[] {
  const model = english.get(path) ?? english.get(`${pluralBase(path)}.other`) ?? '';
  const section = inSection[path.split('.')[0] ?? ''] ?? [];
  if (path.startsWith('service.')) return ['name'];
  return [...new Set([...placeholdersIn(model).map(uncapped), ...section, ...everywhere])];
}

/** The values without which a text misses its purpose. */
export const neededIn = (path: string): readonly string[] => needed[path] ?? [];

/** The faults of one text; empty if there are none. */
export function faultsOf(english: Texts, path: string, text: unknown): readonly string[] {
  const model =
    english.get(path) ?? (isPluralForm(path) ? english.get(`${pluralBase(path)}.other`) : undefined);
  if (model === undefined) return [`${path}: there is no such text`];
  const lines = typeof model === 'string' ? [text] : text;
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > MOST_LINES)
    return [`${path}: must be a list of 1 to ${MOST_LINES} lines`];
  const wrong = lines.some((line) => typeof line !== 'string' || line.trim() === '' || line.length > LONGEST);
  if (wrong) return [`${path}: must be text of 1 to ${LONGEST} characters`];
  const named = placeholdersIn(lines as readonly string[]);
  const allowed = allowedIn(english, path);
  const unknown = named.filter((name) => !allowed.includes(uncapped(name)));
  const missing = neededIn(path).filter((name) => !named.includes(name));
  return [
    ...unknown.map((name) => `${path}: {${name}} cannot be used here; {${allowed.join('}, {')}} can`),
    ...missing.map((name) => `${path}: {${name}} is needed here`),
  ];
}

/** All texts in force. */
export class Catalogue {
  readonly languages: TextsByLanguage;
  readonly english: Texts;

  constructor(languages: TextsByLanguage) {
    const english = languages.get(ENGLISH);
    if (english === undefined) throw new TextsFault(['there are no English texts']);
    this.languages = languages;
    this.english = english;
  }

  /** The first available language: each wanted one (`pt-br`, then `pt`), then English. */
  of(...wanted: readonly (string | undefined)[]): { readonly language: string; readonly texts: Texts } {
    for (const one of wanted) {
      const tag = one?.toLowerCase() ?? '';
      for (const language of [tag, tag.split('-')[0] ?? '']) {
        const texts = this.languages.get(language);
        if (texts !== undefined) return { language, texts };
      }
    }
    return { language: ENGLISH, texts: this.english };
  }

  /**
   * A copy in which single texts of a language are replaced; a new language must be complete. Throws `TextsFault`,
   * with the name of the source before each fault.
   */
  with(language: string, changes: Texts, source = language): Catalogue {
    const faults = [...changes].flatMap(([path, text]) => faultsOf(this.english, path, text));
    const base = this.languages.get(language);
    const texts = new Map([...(base ?? []), ...changes]);
    if (base === undefined) faults.push(...missingIn(this.english, texts));
    if (faults.length > 0) throw new TextsFault(faults.map((fault) => `${source}: ${fault}`));
    return new Catalogue(new Map([...this.languages, [language, texts]]));
  }
}

/** Texts that English has and these lack. Plural forms other than `other` depend on the language. */
export const missingIn = (english: Texts, texts: Texts): readonly string[] =>
  [...english.keys()]
    .filter((path) => !texts.has(path) && !(isPluralForm(path) && !path.endsWith('.other')))
    .map((path) => `${path}: is missing`);

let built: Catalogue | undefined;

/** The product's own texts: a part of the program, so read once, like its modules. */
const builtTexts = (): Catalogue =>
  (built ??= new Catalogue(
    new Map(
      filesIn(own).map(({ language, content }) => [language, spaced(language, flat(content))] as const),
    ),
  ));

/** French keeps « » and : ; ? ! on the line of their word by spaces that do not break (Imprimerie nationale). */
function spaced(language: string, texts: Texts): Texts {
  if (language !== 'fr') return texts;
  const write = (line: string): string =>
    line.replaceAll(/(?<=«) | (?=»)| (?=:)/g, '\u00a0').replaceAll(/ (?=[;?!])/g, '\u202f');
  return new Map(
    [...texts].map(([path, text]) => [path, typeof text === 'string' ? write(text) : text.map(write)]),
  );
}

/** The product's own texts, overridden by those of `folder`. Throws `TextsFault`. */
export function loadTexts(folder?: string): Catalogue {
  const faults: string[] = [];
  let catalogue = builtTexts();
  for (const file of folder === undefined ? [] : filesIn(folder))
    try {
      catalogue = catalogue.with(file.language, flat(file.content), file.name);
    } catch (error) {
      if (!(error instanceof TextsFault)) throw error;
      faults.push(...error.faults);
    }
  if (faults.length > 0) throw new TextsFault(faults);
  return catalogue;
}

interface File {
  readonly name: string;
  readonly language: string;
  readonly content: unknown;
}

function filesIn(folder: string): readonly File[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new TextsFault(['is not a readable folder']);
  }
  return names.filter((name) => /\.ya?ml$/.test(name)).map((name) => readFile(folder, name));
}

function readFile(folder: string, name: string): File {
  const language = name.replace(/\.ya?ml$/, '').toLowerCase();
  if (!isLanguage(language))
    throw new TextsFault([`${name}: the name must be a language, such as en.yaml or pt-br.yaml`]);
  try {
    return { name, language, content: readYaml(readFileSync(join(folder, name), 'utf8')) };
  } catch {
    throw new TextsFault([`${name}: cannot be read as YAML`]);
  }
}

/** A BCP 47 tag. */
export function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** A file's content with each text under its path; anything other than a text stays as it is and is refused later. */
function flat(content: unknown): Texts {
  const texts = new Map<string, Text>();
  const gather = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value)) gather(inner, path === '' ? key : `${path}.${key}`);
    else if (path !== '') texts.set(path, value as Text);
  };
  gather(content, '');
  return texts;
}
