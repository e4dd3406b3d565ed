import type { XmlElement } from '../lib/xml/element.ts';
import type { RecordRow, RecordTable } from './compile/model.ts';
import { isIdentifier } from './compile/records.ts';

/** Removes repeats from a request that gives an identifier twice in one element. */
export function withoutDoubles(
  element: XmlElement,
  table: RecordTable,
  counts: 'first' | 'last',
): XmlElement {
  const rows = element.children.map(({ name }) => table.byLegacyName.get(name.toLowerCase()));
  const children = element.children.flatMap((child, at) => {
    const row = rows[at];
    if (row === undefined) return [child];
    if (row.holds !== 'value') return [within(child, row, counts)];
    const counting = counts === 'first' ? rows.indexOf(row) : rows.lastIndexOf(row);
    return isIdentifier(row) && counting !== at ? [] : [child];
  });
  return { ...element, children };
}

type NestedRow = Exclude<RecordRow, { readonly holds: 'value' }>;

function within(child: XmlElement, row: NestedRow, counts: 'first' | 'last'): XmlElement {
  if (row.holds !== 'list') return withoutDoubles(child, row.of, counts);
  return { ...child, children: child.children.map((entry) => withoutDoubles(entry, row.of, counts)) };
}
