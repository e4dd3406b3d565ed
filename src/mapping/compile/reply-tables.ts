import type { RecordRow, RecordTable } from './model.ts';
import type { RowSource } from './schema.ts';

/** Whether a record, or a record within it, has an attribute. */
export function holdsAttribute(table: RecordTable, seen = new Set<RecordTable>()): boolean {
  if (seen.has(table)) return false;
  seen.add(table);
  return table.rows.some((row) => (row.holds === 'value' ? row.isAttribute : holdsAttribute(row.of, seen)));
}

/** The same record in its detailed form: lists that V1 shows without entries are present, whatever the service says. */
export const inDetail = (table: RecordTable): RecordTable => ({
  ...table,
  rows: table.rows.map(shownInDetail),
});

/** Whether two tables are of the same record: one may be its detailed form. */
export const isSameRecord = (one: RecordTable | undefined, other: RecordTable): boolean =>
  one?.byLegacyName === other.byLegacyName;

function shownInDetail(row: RecordRow): RecordRow {
  if (row.holds !== 'list' || row.unset === 'omit') return row;
  return { ...row, unset: 'empty', v2: row.v2 && { ...row.v2, detailedOnly: false } };
}

/** The given records and all records they contain. */
export function recordTablesIn(tables: readonly RecordTable[]): readonly RecordTable[] {
  const all = new Set<RecordTable>();
  const open = [...tables];
  for (let table = open.shift(); table !== undefined; table = open.shift()) {
    if (all.has(table)) continue;
    all.add(table);
    open.push(...table.rows.flatMap((row) => (row.holds === 'value' ? [] : [row.of])));
  }
  return [...all];
}

/** V3's name of an attribute with an identifier: `task-id` becomes `task-uuid`. */
export const attributeName = (name: string): string => name.replace(/(?<=^|-)id$/, 'uuid');

/** Under which a row is found by one of its names. */
export const keyOf = ({ attribute }: RowSource, name: string): string =>
  `${attribute === true ? '@' : ''}${name.toLowerCase()}`;
