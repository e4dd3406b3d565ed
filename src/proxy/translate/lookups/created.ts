import type { FieldValue, RecordValue } from '../../../lib/xml/shape.ts';
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { Pending } from '../../identifiers.ts';
import type { Given } from './given.ts';

/**
 * The identifiers of the records the service has just created: the record's own, and those of the lists that
 * were sent with it or belong to it. What it merely refers to existed before.
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

/** Jobs have theirs under another name: their ID is the number that addresses them. */
export const isOwnKey = ({ v2 }: RecordRow): boolean =>
  v2?.paths.some((path) => path.length === 1 && path[0]?.step === 'key' && path[0].name === 'uuid') === true;

/** Each created record, with the row of its own identifier. */
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
