/** The text of each code. */
export type Words<Code extends string> = Readonly<Record<Code, string>>;

/** A code without a text, spelled out as words. */
export const spelledOut = (code: string): string => code.replaceAll(/[._-]/g, ' ');

/**
 * Returns the text of a code. A database may have codes of a later version without a text here: they are spelled out.
 */
export const wordsIn =
  <Code extends string>(words: Words<Code>) =>
  (code: Code): string =>
    Object.hasOwn(words, code) ? words[code] : spelledOut(code);
