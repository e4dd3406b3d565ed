/**
 * The groups in which texts are edited: all texts of one page, or of one e-mail. The sections are derived from the
 * paths of the English texts, so a text that a release adds appears in the editor without a line here.
 */
import { pluralBase } from './text.ts';
import type { Text, Texts } from './catalogue.ts';

/** Sections that hold one page or e-mail for each of their parts. */
const divided = ['letters', 'messages', 'refusals'];

/** The page or e-mail that a text belongs to: `connect`, `letters.invitation`. */
export function sectionOf(path: string): string {
  const [first = '', second = ''] = path.split('.');
  return divided.includes(first) ? `${first}.${second}` : first;
}

/** Every section, in the order of the English texts. */
export const sectionsOf = (english: Texts): readonly string[] => [
  ...new Set([...english.keys()].map(sectionOf)),
];

/** The plural forms that a language needs, as `Intl.PluralRules` calls them. */
// English has two, Polish four, Japanese one.
const formsOf = (language: string): readonly string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories;

/** The paths of a language's texts in one section: English names them, and each language has its own plural forms. */
export function pathsOf(english: Texts, language: string, section: string): readonly string[] {
  const paths = [...english.keys()].filter((path) => sectionOf(path) === section);
  return [
    ...new Set(
      paths.flatMap((path) =>
        pluralBase(path) === path ? [path] : formsOf(language).map((form) => `${pluralBase(path)}.${form}`),
      ),
    ),
  ];
}

/** The English text for a path, whatever the plural form; undefined if there is no such text. */
export const modelOf = (english: Texts, path: string): Text | undefined =>
  english.get(path) ?? english.get(`${pluralBase(path)}.other`);
