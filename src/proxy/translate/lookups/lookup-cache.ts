import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Destination } from '../../../upstream/model.ts';
import { entries, own, picked, textOf, valueAt } from '../../../mapping/compile/path.ts';
import type { Lookup, V2Tables } from '../../../mapping/compile/v2/v2-model.ts';

/** Fetches the rows of a list, all pages; for a `record` table, the one record (undefined: the service has none). */
export interface LookupSource {
  rows(
    segments: readonly string[],
    query: readonly (readonly [string, string])[],
  ): AsyncIterable<readonly unknown[]>;
  record(segments: readonly string[], query?: readonly (readonly [string, string])[]): Promise<unknown>;
}

/** A table that is fetched whole. */
export type ListLookup = Lookup & { readonly form: 'list' };
/** The needed fields of a record. */
export type Kept = Readonly<Record<string, unknown>>;

/** A cached list. */
export interface Table {
  readonly rows: ReadonlyMap<string, Kept>;
  readonly since: number;
  /** Keys looked up when the list had just arrived and not found in it: records that no longer exist. */
  readonly absent: Set<string>;
  /** The missing records, as other records describe them. */
  readonly gone: Map<string, Kept>;
}

interface Shelved {
  readonly table: Promise<Table>;
  /** Set as soon as it has arrived. */
  here: Table | undefined;
}

/** An account connected to another organisation has different lists. */
const keyOf = ({ accountId, organisationId }: Destination, name: string): string =>
  `${accountId}\n${organisationId}\n${name}`;

/** The entry limit of a list held for names; each takes some hundred bytes. */
const MOST_ENTRIES = 500_000;
/** Cached entries for all accounts together, about 250 bytes each; the oldest lists are dropped first. */
const MOST_KEPT = 1_000_000;

const entriesOf = (record: unknown, { at }: ListLookup): readonly unknown[] =>
  at === undefined ? [record] : entries(valueAt(record, at, () => undefined));

/**
 * The lists in which names are looked up: fetched once per account, cached for a while, and shared by all calls,
 * including those that need them at the same moment.
 */
export class LookupCache {
  readonly tables: V2Tables;
  readonly clock: Clock;
  readonly #most: number;
  readonly #lists = new Map<string, Shelved>();

  /** `most`: cached entries for all accounts together. */
  constructor(tables: V2Tables, clock: Clock, most = MOST_KEPT) {
    this.tables = tables;
    this.clock = clock;
    this.#most = most;
  }

  /** The list of an account. `notBefore`: the earliest acceptable time of its request. */
  async list(to: Destination, lookup: ListLookup, source: LookupSource, notBefore: number): Promise<Table> {
    const key = keyOf(to, lookup.name);
    // A call that waited for an outdated list looks again: another may have requested a new one meanwhile.
    for (let held = this.#lists.get(key), seen; held !== undefined && held !== seen;) {
      const known = await held.table.catch(() => undefined);
      if (known !== undefined && known.since >= notBefore && this.#isFresh(known)) return known;
      [seen, held] = [held, this.#lists.get(key)];
    }
    const { gone } = this.#lists.get(key)?.here ?? {};
    const shelved: Shelved = { table: this.#fetch(lookup, source, gone), here: undefined };
    this.#lists.delete(key); // moves the new list to the end, as the youngest
    this.#lists.set(key, shelved);
    shelved.table.then(
      (table) => {
        shelved.here = table;
        this.#sweep();
      },
      () => this.#lists.get(key) === shelved && this.#lists.delete(key),
    );
    return shelved.table;
  }

  /** The list of an account, if it is in memory. */
  held(to: Destination, name: string): Table | undefined {
    const here = this.#lists.get(keyOf(to, name))?.here;
    return here !== undefined && this.#isFresh(here) ? here : undefined;
  }

  /** A list from later than now was requested before the clock was set back; how long ago is unknown. */
  #isFresh({ since }: Table): boolean {
    const now = this.clock.now();
    return since <= now && since >= now - this.tables.keepSeconds * SECOND;
  }

  /** `gone`: the facts about records missing from the previous list. */
  async #fetch(lookup: ListLookup, source: LookupSource, gone: Table['gone'] = new Map()): Promise<Table> {
    const since = this.clock.now();
    const rows = new Map<string, Kept>();
    for (const query of lookup.queries)
      for await (const page of source.rows(lookup.segments, query))
        for (const row of page.flatMap((record) => entriesOf(record, lookup))) {
          const key = textOf(own(row, lookup.key))?.toLowerCase();
          if (key !== undefined) rows.set(key, picked(row, lookup.keep, lookup.called));
          if (rows.size > MOST_ENTRIES) throw new Failure('upstreamAnswer');
        }
    return { rows, since, absent: new Set(), gone };
  }

  /** Drops the cached lists of a collection after a write to it. */
  forget(to: Destination, collection: string): void {
    for (const lookup of this.tables.lookups.values())
      if (lookup.form === 'list' && lookup.segments[0] === collection)
        this.#lists.delete(keyOf(to, lookup.name));
  }

  /** Drops the cached lists that a write to a V1 family affects, on whatever route. */
  forgetFamily(to: Destination, family: string): void {
    for (const lookup of this.tables.lookups.values())
      if (lookup.form === 'list' && lookup.families.includes(family))
        this.#lists.delete(keyOf(to, lookup.name));
  }

  /** Drops lists that are too old, of accounts that never call again, and lists beyond the limit. */
  #sweep(): void {
    let kept = 0;
    for (const [key, { here }] of [...this.#lists].reverse()) {
      kept += here?.rows.size ?? 0;
      if (here !== undefined && (!this.#isFresh(here) || kept > this.#most)) this.#lists.delete(key);
    }
  }
}
