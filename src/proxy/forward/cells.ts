import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { formatOf } from '../../mapping/formats.ts';

/** One row of the table: how its element looks in V3, and how it is written in the legacy form. */
export interface Cell {
  readonly row: RecordRow;
  readonly place: number;
  readonly begin: string;
  readonly end: string;
  /** End tag in V3. */
  readonly close: string;
  /** Written if an element is empty, a list has no entries, or a record is not set. */
  readonly empty: string;
  /** For its content. */
  readonly cells: Cells | undefined;
  readonly kind: Kind | undefined;
  readonly format: ((text: string) => string) | undefined;
  /** Any text in it is left to the strict reader. */
  readonly isForeign: boolean;
}

/** The rows of a record, by the names of their elements in V3. */
export interface Cells {
  readonly byName: Map<string, readonly Cell[]>;
  /** What a reply contains for each row that V3 left out. */
  readonly absent: string[];
}

/** The cells of a record. `known` holds the tables already started, because a record may contain itself. */
export function cellsOf(table: RecordTable, known = new Map<RecordTable, Cells>()): Cells {
  const found = known.get(table);
  if (found !== undefined) return found;
  const cells: Cells = { byName: new Map(), absent: [] };
  known.set(table, cells);
  for (const [place, row] of table.rows.entries()) {
    const before = cells.byName.get(row.v3) ?? [];
    cells.byName.set(row.v3, [...before, cellOf(row, place, known)]);
    cells.absent.push(absentOf(row));
  }
  // What V3 may write under another name is left to the strict reader, and so is a record that two rows read.
  for (const [name, of] of cells.byName)
    if (
      of.some(({ row }) => row.also.length > 0) ||
      (of.length > 1 && of.some(({ cells: within }) => within))
    )
      cells.byName.delete(name);
  return cells;
}

function cellOf(row: RecordRow, place: number, known: Map<RecordTable, Cells>): Cell {
  const { element, v3 } = row;
  const [begin, end] = [`<${element}>`, `</${element}>`];
  return {
    row,
    place,
    begin,
    end,
    close: `</${v3}>`,
    empty: emptyOf(row),
    cells: row.holds === 'one' || row.holds === 'list' ? cellsOf(row.of, known) : undefined,
    kind: row.holds === 'value' ? row.kind : undefined,
    format: row.holds === 'value' ? formatOf(row.format).fromV3 : undefined,
    isForeign: row.holds !== 'value' || row.format === 'documentLink',
  };
}

function emptyOf(row: RecordRow): string {
  if (row.holds === 'list') return `<${row.element} />`;
  return row.holds === 'value' && row.unset !== 'omit' ? `<${row.element}></${row.element}>` : '';
}

function absentOf(row: RecordRow): string {
  if (row.holds === 'list')
    return row.unset === 'empty' && row.v2?.detailedOnly !== true ? `<${row.element} />` : '';
  return row.holds === 'value' && row.unset === 'empty' ? `<${row.element}></${row.element}>` : '';
}
