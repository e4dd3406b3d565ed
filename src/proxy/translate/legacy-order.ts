import type { RecordTable } from '../../mapping/compile/model.ts';
import { textOf, walkOf } from '../../mapping/compile/path.ts';
import type { Translation } from '../identifiers.ts';
import { isOwnKey } from './cells.ts';

/**
 * Records of a list as V2 returns them; the settings of an organisation have no time, so they all count as of
 * one.
 */
export type Made = readonly { readonly createdAt?: unknown }[];
/** The sort keys of rows, as text. */
type Keys = (rows: Made, ids: Translation) => readonly string[] | Promise<readonly string[]>;

/** After every number: a record without one stays where it is. */
const LAST = '\uFFFF';
/** Made with its first use: Node loads its tables for it (3 MB, 7 ms). */
let byNumber: Intl.Collator | undefined;

/**
 * V1 lists records by number, V2 by the second in which they were created: those of one second are put into
 * the order of their legacy numbers. Where a program knows a record by its number as text (`Q25008/2`), that
 * is the number; a draft that has none yet stays behind the others.
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

  /** The same rows; numbers are looked up only for those created in the same second as another. */
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

/** Records created in one second that are held for sorting; if there are more, that many at a time. */
const MOST_HELD = 20_000;

/** Where the rows of the last second begin, which may continue; their end if there are too many to hold. */
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
