import type { RecordRow, RecordTable } from './model.ts';

/** Whether a record or one within it has an attribute. */
export function holdsAttribute(table: RecordTable, seen = new Set<RecordTable>()): boolean {
  if (seen.has(table)) return false;
  seen.add(table);
  return table.rows.some((row) => (row.holds === 'value' ? row.isAttribute : holdsAttribute(row.of, seen)));
}

/** The same record in its detailed form. */
export function inDetail(table: RecordTable): RecordTable {
  const rows = table.rows.map((row): RecordRow => (row.holds === 'list' ? { ...row, unset: 'empty' } : row));
  return { ...table, rows };
}
