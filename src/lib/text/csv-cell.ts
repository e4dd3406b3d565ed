/** What a spreadsheet would take for a formula, including the full-width forms that some treat alike. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
/**
 * Half of Europe's spreadsheets separate cells at semicolons, tabs or line breaks, and do not expect a
 * quotation mark inside one.
 */
const INNER = /([;\t\r\n] *)(?='*[=+\-@＝＋－＠])/g;
const INNER_GUARDED = /([;\t\r\n] *)'(?='*[=+\-@＝＋－＠])/g;

/**
 * A text as a CSV cell. What a spreadsheet would take for a formula gets a leading apostrophe; a text with
 * leading apostrophes of its own gets one more, so that removing one restores it.
 */
export function csvText(text: string): string {
  const safe = (FORMULA.test(text) ? `'${text}` : text).replaceAll(INNER, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A header in the form in which headers are compared: case, spaces and punctuation make no difference. */
export const reducedHeader = (header: string): string => header.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The text of a cell that `csvText` has written, after unquoting. */
export const textOfCsv = (cell: string): string =>
  (/^'+[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell).replaceAll(INNER_GUARDED, '$1');
