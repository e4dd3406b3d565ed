import type { FieldValue, RecordValue } from '../../lib/xml/shape.ts';
import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import type { Pending } from '../identifiers.ts';
import type { Given } from './given.ts';

/**
 * The identifiers of the records the service has just made: the record's own, and those of the lists that were sent
 * with it or are its own. What it only refers to was there before.
 */
export function createdIn(
  values: readonly RecordValue[],
  pending: readonly Pending[],
  table: RecordTable,
  sent: Given | undefined,
): ReadonlySet<string> {
  const made = new Map<FieldValue, number>();
  for (const value of values) gather(value, table, sent, made);
  const created = pending.filter(({ record, row }) => made.get(record) === row);
  return new Set(created.map(({ text }) => text.toLowerCase()));
}

/** Jobs have theirs under another name: their ID is a number they go by. */
export const isOwnKey = ({ v2 }: RecordRow): boolean =>
  v2?.paths.some((path) => path.length === 1 && path[0]?.step === 'key' && path[0].name === 'uuid') === true;

/** Each record that was made, with the row of its own identifier. */
function gather(
  value: RecordValue,
  table: RecordTable,
  sent: Given | undefined,
  made: Map<FieldValue, number>,
): void {
  for (const [index, row] of table.rows.entries()) {
    if (row.holds === 'value' && row.kind !== undefined && isOwnKey(row)) made.set(value, index);
    if (row.holds !== 'list' || !(row.isOwn || sent?.[row.element] !== undefined)) continue;
    const list = value[index];
    if (!Array.isArray(list)) continue;
    for (const entry of list as readonly RecordValue[]) gather(entry, row.of, undefined, made);
  }
}
