import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { KeptAs, KeptKey } from '../../../mapping/compile/records.ts';
import { partKey } from '../../../features/snapshot/part-key.ts';
import { firstOf, own, tablesIn, textOf, walkOf, type Find } from '../../../mapping/compile/path.ts';

/**
 * What V1 said about a record of V2 before the move; undefined if nothing is kept. `owner`: the UUID of the record that
 * has it, for a part without an identifier.
 */
type KeptFields = (json: unknown, find: Find, owner: string) => unknown;

/**
 * V2's values since the move take precedence: if a value differs from what the kept one means in V2, the
 * record has been changed, and nothing kept for it is returned.
 */
export function keptFields({ kept, rows }: RecordTable): KeptFields | undefined {
  if (kept === undefined) return undefined;
  const keyOf = keyIn(kept);
  const isNewer = newerIn(kept);
  const words = rows.flatMap(({ element, snapshot, v2 }) => {
    const [path] = v2?.paths ?? [];
    if (snapshot === undefined || path === undefined || v2?.toV2.size === 0) return [];
    return [{ element, walk: walkOf(path), toV2: v2?.toV2 }];
  });
  return (json, find, owner) => {
    const key = keyOf(json, owner);
    const fields = key === '' ? undefined : find(kept.table, key);
    if (fields === undefined || isNewer(json, fields)) return undefined;
    const isChanged = words.some(({ element, walk, toV2 }) => {
      const meant = toV2?.get(textOf(own(fields, element))?.toLowerCase() ?? '');
      return meant !== undefined && meant.toLowerCase() !== textOf(walk(json, find))?.toLowerCase();
    });
    return isChanged ? undefined : fields;
  };
}

const nobody = (): undefined => undefined;

/** Empty: the record cannot be found again. */
function keyIn(kept: KeptKey): (json: unknown, owner: string) => string {
  if (kept.by === 'uuid') {
    const uuid = walkOf(kept.path);
    return (json) => textOf(uuid(json, nobody)) ?? '';
  }
  const walks = kept.places.map((paths) => firstOf(paths.map((path) => walkOf(path))));
  return (json, owner) =>
    owner === ''
      ? ''
      : partKey(
          owner,
          walks.map((walk) => textOf(walk(json, nobody)) ?? ''),
        );
}

/** The field of kept values that says when V1 returned them. */
export const READ_AT = '@readAt';

/** Two parts may say the same: one that was made after the last reading of V1 is not the one that V1 had. */
function newerIn(kept: KeptKey): (json: unknown, fields: unknown) => boolean {
  if (kept.by === 'uuid' || kept.made === undefined) return () => false;
  const made = walkOf(kept.made);
  return (json, fields) => Date.parse(textOf(made(json, nobody)) ?? '') > Number(own(fields, READ_AT));
}

/** A row that names the look-up itself says in which order it is read. */
export const isKept = (
  { snapshot, v2 }: RecordRow,
  { kept }: RecordTable,
  keptAs: readonly KeptAs[],
): boolean =>
  snapshot !== undefined &&
  keptAs.includes(snapshot) &&
  !(v2?.paths ?? []).some((path) => tablesIn(path).includes(kept?.table ?? ''));

/** The table of kept values, if it has none for this row. */
export const tableWithout = (
  { snapshot }: RecordRow,
  { kept }: RecordTable,
  keptAs: readonly KeptAs[],
): string | undefined => (snapshot === undefined || keptAs.includes(snapshot) ? undefined : kept?.table);

/** V1's own text of an element; undefined if it had none. */
export type Told = (json: unknown, find: Find, owner: string) => string | undefined;

/** Formats with a time of day, of which V2 may have the day alone. */
const TIMED: ReadonlySet<string> = new Set(['date', 'utcDateTime']);

/** `fields`: what is kept of the record. A time of another day than V2's was changed since. */
export function keptText(row: RecordRow, { kept }: RecordTable, fields: KeptFields): Told {
  // With the time at which it was made, V2 says nothing of a day.
  const isDated = kept?.by !== 'content' || kept.made === undefined;
  const isTimed = row.holds === 'value' && TIMED.has(row.format) && isDated;
  const [path] = isTimed ? (row.v2?.paths ?? []) : [];
  const day = path && walkOf(path);
  return (json, find, owner) => {
    const text = textOf(own(fields(json, find, owner), row.element));
    const isChanged = day && text && textOf(day(json, find))?.slice(0, DAY) !== text.slice(0, DAY);
    return isChanged === true ? undefined : text;
  };
}

/** Characters of `2026-11-23`. */
const DAY = 10;
