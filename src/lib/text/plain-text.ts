/** Control characters move the cursor and clear the screen; direction characters reverse the rest of a line. */
const acting = /\p{Cc}|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A name in a form that is safe in a terminal or a cell, whoever chose it. */
export const plainText = (text: string): string => text.replaceAll(acting, '\ufffd');

/** A name without direction characters, for a sentence that people read: one without its end reverses what follows. */
export const withoutDirections = (text: string): string =>
  text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '');

/**
 * Characters without width: two names that differ by one look alike. Joiners are kept, because scripts and emoji need
 * them.
 */
const unseen = /[\u180e\u200b\u2060-\u2064\u{e0000}-\u{e007f}]/gu;

/** A name that is safe to print in a terminal: nothing in it affects the line, and nothing is hidden. */
export const terminalText = (text: string): string => plainText(text).replaceAll(unseen, '\ufffd');

/** The same for whole lines. Line ends, tabs, and the colours and cursor movements of the bridge's own reports stay. */
export const terminalLines = (text: string): string =>
  text
    .split(/(\r?\n|\t|\u001b\[[\d;]*[mHJ])/)
    .map((part, index) => (index % 2 === 1 ? part : terminalText(part)))
    .join('');

/** JSON that cannot control a terminal: the same values, with every such character escaped. */
export const plainJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const none = /^[\p{Mn}\p{Me}\u200b-\u200d\ufe0e\ufe0f]$/u;

const cellsOf = (character: string): number => (none.test(character) ? 0 : wide.test(character) ? 2 : 1);

/** The number of terminal columns that a text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += cellsOf(character);
  return columns;
}

/** Wraps at spaces, each line at most this many columns wide; a longer word is cut. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((one) => fit(one, columns));
}

/** Cuts a text to this many columns, with an ellipsis in the last one if something is missing. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let taken = '';
  let left = columns - 1;
  for (const character of text) {
    left -= cellsOf(character);
    if (left < 0) break;
    taken += character;
  }
  return columns < 1 ? '' : `${taken}…`;
}
