import type { RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import type { KeptAs } from '../../mapping/compile/records.ts';
import { own, tablesIn, textOf, walkOf, type Find } from '../../mapping/compile/path.ts';

/** What V1 said about a record of V2 before the move; undefined if nothing is kept. */
type KeptFields = (json: unknown, find: Find) => unknown;

/**
 * V2's values since the move take precedence: if a value differs from what the kept one means in V2, the
 * record has been changed, and nothing kept for it is returned.
 */
export function keptFields({ kept, rows }: RecordTable): KeptFields | undefined {
  if (kept === undefined) return undefined;
  const key = walkOf(kept.path);
  const nobody = (): undefined => undefined;
  const words = rows.flatMap(({ element, snapshot, v2 }) => {
    const [path] = v2?.paths ?? [];
    if (snapshot === undefined || path === undefined || v2?.toV2.size === 0) return [];
    return [{ element, walk: walkOf(path), toV2: v2?.toV2 }];
  });
  return (json, find) => {
    const fields = find(kept.table, textOf(key(json, nobody)) ?? '');
    if (fields === undefined) return undefined;
    const isChanged = words.some(({ element, walk, toV2 }) => {
      const meant = toV2?.get(textOf(own(fields, element))?.toLowerCase() ?? '');
      return meant !== undefined && meant.toLowerCase() !== textOf(walk(json, find))?.toLowerCase();
    });
    return isChanged ? undefined : fields;
  };
}

/** A row that names the look-up itself says in which order it is read. */
export const isKeptFirst = ({ snapshot, v2 }: RecordRow, { kept }: RecordTable): boolean =>
  snapshot !== undefined && !(v2?.paths ?? []).some((path) => tablesIn(path).includes(kept?.table ?? ''));

/** The table of kept values, if it has none for this row. */
export const tableWithout = (
  { snapshot }: RecordRow,
  { kept }: RecordTable,
  keptAs: readonly KeptAs[],
): string | undefined => (snapshot === undefined || keptAs.includes(snapshot) ? undefined : kept?.table);

/** V1's own text of an element; undefined if it had none. */
export type Told = (json: unknown, find: Find) => string | undefined;

/** `fields`: what is kept of the record. A time of another day than V2's was changed since. */
export function keptText(row: RecordRow, fields: KeptFields): Told {
  const [path] = row.holds === 'value' && row.format === 'date' ? (row.v2?.paths ?? []) : [];
  const day = path && walkOf(path);
  return (json, find) => {
    const text = textOf(own(fields(json, find), row.element));
    const isChanged = day && text && textOf(day(json, find))?.slice(0, DAY) !== text.slice(0, DAY);
    return isChanged === true ? undefined : text;
  };
}

/** Characters of `2026-11-23`. */
const DAY = 10;
