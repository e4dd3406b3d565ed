/**
 * Each row as often as its weight says, in their order: a random place in this list falls on a row as often as its share of
 * the whole.
 */
export const weighted = <Row extends { readonly of: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.flatMap((row) => Array.from({ length: row.of }, () => row));
