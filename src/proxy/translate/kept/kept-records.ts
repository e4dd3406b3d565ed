/**
 * V1's values for V2's records from before the move: requested together for everything a page needs (`KeptRecords`),
 * and read by the rows of a record (`keptFields`, `keptText`).
 */
import type { RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { KeptAs, KeptKey } from '../../../mapping/compile/records.ts';
import type { Kind, UuidId } from '../../../mapping/crosswalk/identifier.ts';
import { partKey } from '../../../features/snapshot/part-key.ts';
import {
  WRITTEN_SINCE,
  type AccountSnapshot,
  type Kept,
  type Snapshot,
} from '../../../features/snapshot/snapshot.ts';
import { firstOf, own, tablesIn, textOf, walkOf, type Find } from '../../../mapping/compile/path.ts';

/** V1's values from before the move for the records of one call. */
export class KeptRecords {
  readonly #snapshot: Snapshot;
  readonly #account: AccountSnapshot;
  /** By kind and UUID; undefined: nothing is kept, or it has not been read yet. */
  readonly #known = new Map<Kind, Map<string, Kept | undefined>>();
  /** Records to read next. */
  readonly wanted: UuidId[] = [];
  #oldest: number | undefined;

  constructor(snapshot: Snapshot, account: AccountSnapshot) {
    this.#snapshot = snapshot;
    this.#account = account;
  }

  /** Says when V1 returned the oldest kept value of the reply; undefined: it has none so far. */
  get headers(): Readonly<Record<string, string>> | undefined {
    return this.#oldest === undefined
      ? undefined
      : { 'X-Causeway-Snapshot': new Date(this.#oldest).toISOString() };
  }

  /** Undefined: nothing is kept, or it has yet to be fetched. */
  find(kind: Kind, uuid: string): Kept['fields'] | undefined {
    if (uuid === '' || !this.#account.kinds.has(kind)) return undefined;
    let known = this.#known.get(kind);
    if (known === undefined) this.#known.set(kind, (known = new Map<string, Kept | undefined>()));
    const kept = known.get(uuid);
    if (kept === undefined) {
      if (!known.has(uuid)) this.wanted.push({ kind, uuid });
      known.set(uuid, undefined);
      return undefined;
    }
    if (kept.readAt !== WRITTEN_SINCE) this.#oldest = Math.min(kept.readAt, this.#oldest ?? kept.readAt);
    return kept.fields;
  }

  /** Reads the wanted records. */
  async fetch(): Promise<void> {
    const wanted = this.wanted.splice(0);
    if (wanted.length === 0) return;
    const found = await this.#snapshot.read(this.#account, wanted);
    for (const [at, { kind, uuid }] of wanted.entries()) {
      const kept = found[at];
      if (kept === undefined) continue;
      const fields = { ...kept.fields, [READ_AT]: String(kept.readAt) };
      this.#known.get(kind)?.set(uuid, { fields, readAt: kept.readAt });
    }
  }
}

/**
 * V1's values for a record of V2 from before the move; undefined if nothing is kept. `owner`: the UUID of the record
 * that a part without an identifier belongs to.
 */
type KeptFields = (json: unknown, find: Find, owner: string) => unknown;

/**
 * V2's values since the move take precedence: if a value differs from what the kept one means in V2, the
 * record has been changed, and nothing kept for it is returned.
 */
export function keptFields({ kept, rows }: RecordTable): KeptFields | undefined {
  if (kept === undefined) return undefined;
  const uuid = kept.by === 'uuid' ? walkOf(kept.path) : undefined;
  const keyOf = kept.by === 'uuid' ? undefined : partKeyIn(kept);
  const isNewer = newerIn(kept);
  const words = rows.flatMap(({ element, snapshot, v2 }) => {
    const [path] = v2?.paths ?? [];
    if (snapshot === undefined || path === undefined || v2?.toV2.size === 0) return [];
    return [{ element, walk: walkOf(path), toV2: v2?.toV2 }];
  });
  return (json, find, owner) => {
    const key = uuid ? (textOf(uuid(json, nobody)) ?? '') : (keyOf?.(json, owner) ?? '');
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

/** The key of a part without an identifier; empty: the part cannot be found again. */
function partKeyIn(kept: KeptKey & { readonly by: 'content' }): (json: unknown, owner: string) => string {
  const walks = kept.places.map((paths) => firstOf(paths.map((path) => walkOf(path))));
  return (json, owner) =>
    owner === ''
      ? ''
      : partKey(
          owner,
          walks.map((walk) => textOf(walk(json, nobody)) ?? ''),
        );
}

/** The kept field with the time at which V1 returned the values. */
const READ_AT = '@readAt';

/**
 * Whether a part was created after V1 was last read: then it is not the one that V1 had, even if both have the same
 * values.
 */
function newerIn(kept: KeptKey): (json: unknown, fields: unknown) => boolean {
  if (kept.by === 'uuid' || kept.made === undefined) return () => false;
  const made = walkOf(kept.made);
  return (json, fields) => Date.parse(textOf(made(json, nobody)) ?? '') > Number(own(fields, READ_AT));
}

/** Whether a row uses the kept values implicitly; one that names the look-up itself states the order of its places. */
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

/** Formats with a time of day, for which V2 may have only the day. */
const TIMED: ReadonlySet<string> = new Set(['date', 'utcDateTime']);

/** `fields`: the kept values of the record. A time on another day than V2's was changed since. */
export function keptText(row: RecordRow, { kept }: RecordTable, fields: KeptFields): Told {
  // Where V2 has the time of creation, it says nothing about a day.
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
