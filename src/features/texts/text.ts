/** The syntax of texts: placeholders in braces and, in the name of a text, a plural form. */

const PLACEHOLDER = /\{([^{}]*)\}/g;
const PLURAL = /\.(zero|one|two|few|many|other)$/;

/** The names in braces, in order, each once. */
export const placeholdersIn = (text: string | readonly string[]): readonly string[] => [
  ...new Set(
    [text].flat().flatMap((line) => Array.from(line.matchAll(PLACEHOLDER), ([, name = '']) => name)),
  ),
];

/** Whether a path names a plural form, as `Intl.PluralRules` calls them. */
export const isPluralForm = (path: string): boolean => PLURAL.test(path);

/** The path without its plural form. */
export const pluralBase = (path: string): string => path.replace(PLURAL, '');

/** A value that a page shows with markup, such as a time. */
export interface Rich {
  readonly text: string;
  readonly html: string;
}

/** The values of placeholders; a placeholder without one stays as it is. */
export type TextValues = Readonly<Record<string, unknown>>;

const isRich = (value: unknown): value is Rich =>
  typeof value === 'object' && value !== null && 'html' in value && 'text' in value;

/** Puts values into a text; placeholders inside the values are not replaced. */
export function filled(
  text: string,
  values: TextValues,
  form: { readonly plain: (value: string) => string; readonly rich: (value: Rich) => string },
): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (isRich(value)) return form.rich(value);
    return typeof value === 'string' || typeof value === 'number' ? form.plain(String(value)) : whole;
  });
}
