/** What a spreadsheet would take for a formula, the wide forms some of them read alike included. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
/** Half of Europe's spreadsheets part cells at semicolons, tabs or line breaks, and see no quotation mark inside of one. */
const INNER = /([;\t\r\n] *)(?='*[=+\-@＝＋－＠])/g;
const INNER_GUARDED = /([;\t\r\n] *)'(?='*[=+\-@＝＋－＠])/g;

/**
 * A text as a cell of CSV. What a spreadsheet would take for a formula gets an apostrophe before it, what has apostrophes
 * there of its own another, so that whoever takes one away has what was meant.
 */
export function csvText(text: string): string {
  const safe = (FORMULA.test(text) ? `'${text}` : text).replaceAll(INNER, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `csvText` has written, its quotation marks read already. */
export const textOfCsv = (cell: string): string =>
  (/^'+[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell).replaceAll(INNER_GUARDED, '$1');
