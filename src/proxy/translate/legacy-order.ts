import type { RecordTable } from '../../mapping/compile/model.ts';
import { textOf, walkOf } from '../../mapping/compile/path.ts';
import type { Translation } from '../identifiers.ts';
import { isOwnKey } from './cells.ts';

/**
 * Records of a list as V2 returns them; the settings of an organisation have no time, so they count as created
 * together.
 */
export type Made = readonly { readonly createdAt?: unknown }[];
/** The sort keys of rows, as text. */
type Keys = (rows: Made, ids: Translation) => readonly string[] | Promise<readonly string[]>;

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
  readonly #keys: Keys;

  private constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Undefined for records without a number. */
  static of({ rows }: RecordTable): LegacyOrder | undefined {
    const own = rows.find((one) => one.holds === 'value' && one.kind !== undefined && isOwnKey(one));
    const row = own ?? rows.find(({ element }) => element === 'ID');
    const [path] = row?.v2?.paths ?? [];
    if (row?.holds !== 'value' || path === undefined) return undefined;
    const { kind } = row;
    const walk = walkOf(path);
    const textsOf = (all: Made): readonly string[] =>
      all.map((one) => textOf(walk(one, () => undefined)) ?? '');
    if (kind === undefined) return new LegacyOrder((all) => textsOf(all).map((text) => text || LAST));
    return new LegacyOrder((all, ids) =>
      ids.toLegacy((toLegacy) => textsOf(all).map((text) => toLegacy(kind, text) ?? LAST)),
    );
  }

  /** The same rows, sorted; numbers are looked up only for records created in the same second as another. */
  async sorted(rows: Made, ids: Translation): Promise<Made> {
    const runs = inRuns(rows);
    const tied = runs.filter(({ length }) => length > 1).flat();
    const keys = await this.#keys(tied, ids);
    const numbers = new Map(tied.map((row, at) => [row, keys[at]]));
    const numberOf = (row: Made[number]): string => numbers.get(row) ?? LAST;
    const { compare } = (byNumber ??= new Intl.Collator('en', { numeric: true }));
    return runs.flatMap((run) => run.sort((one, other) => compare(numberOf(one), numberOf(other))));
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

/** Groups the rows by second. */
function inRuns(rows: Made): Made[number][][] {
  const runs: Made[number][][] = [];
  for (const row of rows) {
    const run = runs.at(-1);
    if (run?.[0]?.createdAt === row.createdAt && run !== undefined) run.push(row);
    else runs.push([row]);
  }
  return runs;
}
