/** Text that a spreadsheet would take for a formula, including the full-width forms that some accept. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;
/**
 * A telephone number in the usual international form: groups of digits between single spaces. It contains no operator,
 * so a spreadsheet keeps it as text, and a person who dials from the list sees no apostrophe. Other forms are guarded
 * although they are harmless: Excel takes `+4512345678` for a number, without its plus sign and perhaps as 4.5E+09, and
 * `+1-555-0100` for a sum, which it calculates; saved and imported again, the number would be different.
 */
const NUMBER_IN_GROUPS = /^\+\d{1,4}(?: \d{1,8}){1,8}$/;
/** Half of Europe's spreadsheets separate cells at semicolons, tabs or line breaks, even inside quotation marks. */
const INNER = /([;\t\r\n] *)(?='*[=+\-@＝＋－＠])/g;
const INNER_GUARDED = /([;\t\r\n] *)'(?='*[=+\-@＝＋－＠])/g;

/**
 * A text as a CSV cell. Text that a spreadsheet would take for a formula gets a leading apostrophe; a text with leading
 * apostrophes of its own gets one more, so that removing one restores it.
 */
export function csvText(text: string): string {
  const isFormula = FORMULA.test(text) && !NUMBER_IN_GROUPS.test(text);
  const safe = (isFormula ? `'${text}` : text).replaceAll(INNER, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A header in the form in which headers are compared, without case, spaces and punctuation. */
export const reducedHeader = (header: string): string => header.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The text of a cell written by `csvText`, after unquoting. */
export const textOfCsv = (cell: string): string =>
  (/^'+[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell).replaceAll(INNER_GUARDED, '$1');
