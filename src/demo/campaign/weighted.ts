/**
 * Repeats each row as often as its weight says, in order: a random index in this list picks a row with the
 * probability of its share.
 */
export const weighted = <Row extends { readonly of: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.flatMap((row) => Array.from({ length: row.of }, () => row));
