import { Failure } from '../../lib/failure.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import { textOf, valueAt, type Find } from '../../mapping/compile/path.ts';
import type { RowTranslation } from '../../mapping/compile/records.ts';
import { missing } from '../call/request.ts';
import type { Given } from './lookups/given.ts';

/** Whether a record of V2 has the values that a row requires. */
const areMet = (conditions: RowTranslation['conditions'], json: unknown, find: Find): boolean =>
  conditions.every(({ path, is }) => is.includes(textOf(valueAt(json, path, find))?.toLowerCase() ?? ''));

/**
 * Checks the JSON of a request against the conditions of its rows. Throws `Failure` refused for a place that stayed
 * empty, and for an element that does not suit this record. `at`: path to the record, for messages about it.
 */
export function checkConditions(
  table: RecordTable,
  given: Given,
  json: unknown,
  find: Find,
  at: string,
): void {
  for (const row of table.rows)
    if (isNeeded(row, table, given)) throw missing([...at.split('/'), row.element]);
  const conditional = table.rows.filter(({ v2 }) => v2 !== undefined && v2.conditions.length > 0);
  const fitting = conditional.filter(({ v2 }) => areMet(v2?.conditions ?? [], json, find));
  const said = conditional.filter(({ element }) => given[element] !== undefined);
  const [first] = fitting;
  // Values that V2 does not know (yet) cannot be judged here.
  if (first === undefined || (said.length === 1 && said.every((row) => fitting.includes(row)))) return;
  throw new Failure('refused', { text: wordsOf(first, json, find) });
}

/** Whether V2 needs a value at the row's place and the request has none for it. */
export function isNeeded({ v2 }: RecordRow, table: RecordTable, given: Given): boolean {
  const instead = v2?.needed;
  if (instead === undefined) return false;
  const isSaid = (element: string): boolean => {
    const text = given[element];
    return typeof text === 'string' && text.trim() !== '';
  };
  if (instead.length > 0 && instead.every(isSaid)) return false;
  const place = JSON.stringify(v2?.paths[0]);
  // Any row with the same place will do.
  return !table.rows.some((row) => JSON.stringify(row.v2?.paths[0]) === place && isSaid(row.element));
}

const wordsOf = ({ element, v2 }: RecordRow, json: unknown, find: Find): string =>
  (v2?.misfit ?? [`Exactly one value element is taken, ${element}`])
    .map((part) => (typeof part === 'string' ? part : (textOf(valueAt(json, part, find)) ?? '')))
    .join('');
