import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import { isGiven, type Given } from './given.ts';

/**
 * The elements of a request that have no place in V2, by their ways from the root. `uses`: elements of the root that
 * stand in an address or a query, in lower case; they need no place in a body.
 */
export function dropsOf(
  given: Given,
  table: RecordTable,
  root: string,
  uses: ReadonlySet<string>,
): readonly string[] {
  return table.rows
    .filter(({ element }) => !uses.has(element.toLowerCase()))
    .flatMap((row) => dropsIn(given, row, root));
}

function dropsIn(given: Given, row: RecordRow, path: string): readonly string[] {
  const value = given[row.element];
  const at = `${path}/${row.element}`;
  if (value === undefined) return [];
  if ((row.v2?.paths ?? []).length === 0) return [at];
  if (row.holds === 'value' || typeof value === 'string') return [];
  const { of } = row;
  const within = row.holds === 'list' ? `${at}/${row.child}` : at;
  return (isGiven(value) ? [value] : value).flatMap((record) =>
    of.rows.flatMap((inner) => dropsIn(record, inner, within)),
  );
}
