/** Lists as tables: one list of columns serves a file, a command and an API. */

/** The columns of a list, in order, with how each is filled; undefined is an empty cell. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | undefined>>;

/** Columns that are named after the field which they show: a list in one cell has spaces between, and what is neither text nor number is empty. */
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
