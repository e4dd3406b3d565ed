/** Lists as tables: one list of columns serves a file, a command and an API. */

/** The columns of a list, in order, each with the function that fills it; undefined is an empty cell. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | undefined>>;

/**
 * Columns named after their fields: a list in one cell is separated by spaces, and values other than text and numbers
 * are left empty.
 */
export const fields = <Row extends object>(...names: readonly (keyof Row & string)[]): Columns<Row> =>
  Object.fromEntries(names.map((name) => [name, (row: Row) => cellOf(row[name])]));

function cellOf(value: unknown): string | number | undefined {
  if (typeof value === 'number' || typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(' ') : undefined;
}

/** The rows as records, by column. */
export const recordsOf = <Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
): readonly Readonly<Record<string, string | number | undefined>>[] =>
  rows.map((row) => Object.fromEntries(Object.entries(columns).map(([column, cell]) => [column, cell(row)])));
