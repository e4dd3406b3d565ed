import type { RecordTable } from '../../mapping/compile/model.ts';
import { textOf, walkOf, type Walk } from '../../mapping/compile/path.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { ToLegacy, Translation } from '../identifiers.ts';
import { isOwnKey } from './cells.ts';

/**
 * Records of a list as V2 returns them; the settings of an organisation have no time, so they count as created
 * together.
 */
export type Made = readonly { readonly createdAt?: unknown }[];

/** A record with its sort keys: the second in which it was created, counted from the first, and its number. */
interface Placed {
  readonly row: Made[number];
  readonly second: number;
  number: string;
}

/** Sorts after every number: a record without one stays at the end. */
const LAST = '\uFFFF';
/** Created on first use: Node loads tables for it (3 MB, 7 ms). */
let byNumber: Intl.Collator | undefined;

/**
 * V1 lists records by number, V2 by the second in which they were created: records of one second are sorted by their
 * legacy numbers. If programs know a record by a number that is text (`Q25008/2`), that number counts; a draft without
 * one comes after the others.
 */
export class LegacyOrder {
  readonly #walk: Walk;
  /** Of the identifier at the end of `#walk`; undefined: it leads to a number that is text. */
  readonly #kind: Kind | undefined;

  private constructor(walk: Walk, kind: Kind | undefined) {
    this.#walk = walk;
    this.#kind = kind;
  }

  /** Undefined for records without a number. */
  static of({ rows }: RecordTable): LegacyOrder | undefined {
    const own = rows.find((one) => one.holds === 'value' && one.kind !== undefined && isOwnKey(one));
    const row = own ?? rows.find(({ element }) => element === 'ID');
    const [path] = row?.v2?.paths ?? [];
    return row?.holds === 'value' && path ? new LegacyOrder(walkOf(path), row.kind) : undefined;
  }

  /** The same rows, sorted; numbers are looked up only for records created in the same second as another. */
  async sorted(rows: Made, ids: Translation): Promise<Made> {
    const placed: Placed[] = [];
    const tied: Placed[] = [];
    for (const row of rows) {
      const last = placed.at(-1);
      const isTied = last !== undefined && last.row.createdAt === row.createdAt;
      const second = last === undefined ? 0 : last.second + (isTied ? 0 : 1);
      const one = { row, second, number: LAST };
      if (isTied) tied.push(...(tied.at(-1) === last ? [one] : [last, one]));
      placed.push(one);
    }
    await ids.toLegacy((toLegacy) => {
      for (const one of tied) one.number = this.#numberOf(one.row, toLegacy);
    });
    const { compare } = (byNumber ??= new Intl.Collator('en', { numeric: true }));
    placed.sort((one, other) => one.second - other.second || compare(one.number, other.number));
    return placed.map(({ row }) => row);
  }

  #numberOf(row: Made[number], toLegacy: ToLegacy): string {
    const text = textOf(this.#walk(row, () => undefined)) ?? '';
    if (this.#kind !== undefined) return toLegacy(this.#kind, text) ?? LAST;
    return text === '' ? LAST : text;
  }
}

/** The limit on records of one second that are held for sorting; more are sorted in portions of this size. */
const MOST_HELD = 20_000;

/**
 * Where the rows of the last second begin, which may continue on the next page; the end of the rows if there are too
 * many to hold.
 */
export function lastSecondOf(rows: Made): { readonly from: number; readonly isTied: boolean } {
  let [from, isTied] = [0, false];
  for (let at = 1; at < rows.length; at += 1)
    if (rows[at]?.createdAt === rows[at - 1]?.createdAt) isTied = true;
    else from = at;
  return { from: rows.length - from > MOST_HELD ? rows.length : from, isTied };
}
