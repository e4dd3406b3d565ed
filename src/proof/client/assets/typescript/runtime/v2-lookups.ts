/**
 * Looks up names, because V2 gives a UUID where V1 also gave a name. Reading is synchronous and calls `find`;
 * missing names are then fetched and reading starts again, so that a page of records takes a few requests
 * instead of one each.
 */
import {
  entries,
  isObject,
  own,
  picked,
  textOf,
  valueAt,
  type Find,
} from '../../../../../mapping/compile/path.ts';
import type { Call } from './call.ts';
import type { Lookup } from '../../../../../proof/client/client-tables.ts';
import type { Asking } from './v2-asking.ts';
import type { LookupCache, Table } from './v2-cache.ts';
import { pathOf } from './v2-path.ts';

type Entry = Readonly<Record<string, unknown>>;
type ListLookup = Lookup & { readonly form: 'list' };
type RecordLookup = Lookup & { readonly form: 'record' };

const RECORDS_AT_ONCE = 4;
/** A list may refer to another; a longer chain is taken for endless. */
const ROUNDS = 5;

/** The look-ups of one call. */
export class Lookups {
  readonly #call: Call;
  readonly #asking: Asking;
  readonly #cache: LookupCache;
  readonly #begun: number;
  readonly #around: unknown[] = [];
  readonly #records = new Map<string, Entry | undefined>();
  readonly #gone = new Map<string, Entry>();
  readonly #wantedLists = new Set<string>();
  readonly #wantedRecords = new Map<string, readonly [table: string, key: string]>();
  readonly #wantedGone = new Map<string, readonly [list: string, key: string, root: string]>();

  constructor(call: Call, asking: Asking, cache: LookupCache) {
    this.#call = call;
    this.#asking = asking;
    this.#cache = cache;
    this.#begun = call.around.now();
  }

  /** Adds a step's answer, whose tables within a record are also used for look-ups. */
  surround(answer: unknown): void {
    if (isObject(answer)) this.#around.push(answer);
  }

  /** `root`: the record being read. */
  finder(root: unknown): Find {
    const find: Find = (name, key) => {
      const lookup = this.#lookup(name);
      if (lookup?.form === 'within')
        return [root, ...this.#around]
          .flatMap((one) => entriesOf(valueAt(one, pathOf(lookup.path), find)))
          .find((row) => isText(own(row, lookup.key), key));
      if (lookup?.form === 'record') return this.#record(name, key);
      return lookup?.form === 'list' ? this.#inList(name, lookup, key, root) : undefined;
    };
    return find;
  }

  #lookup(name: string): Lookup | undefined {
    return this.#call.around.shared.lookups[name];
  }

  /** Returns undefined if the list has not been fetched yet, or too long ago. */
  #table(name: string): Table | undefined {
    const table = this.#cache.tables.get(name);
    const { keepSeconds } = this.#call.around.shared;
    const isFresh = table !== undefined && table.since + keepSeconds * 1_000 > this.#begun;
    if (!isFresh) this.#wantedLists.add(name);
    return isFresh ? table : undefined;
  }

  #inList(name: string, lookup: ListLookup, key: string, root: unknown): Entry | undefined {
    const table = this.#table(name);
    const found = table?.rows.get(key.toLowerCase());
    if (found !== undefined || table === undefined) return found;
    // A record created after the list was fetched may be missing from it.
    if (table.since < this.#begun) this.#wantedLists.add(name);
    else if (lookup.stays === true) return this.#goneOf(name, lookup, key, root);
    return undefined;
  }

  /**
   * Finds a record that is in no list any more: a single read of the record that refers to it still gives its
   * name.
   */
  #goneOf(name: string, lookup: ListLookup, key: string, root: unknown): Entry | undefined {
    const place = `${name}\n${key.toLowerCase()}`;
    const known = this.#gone.get(place);
    if (known !== undefined) return known;
    const address = textOf(own(root, 'uuid')) ?? '';
    if (address === '' || this.#single?.names?.[name] === undefined) return { [lookup.key]: key };
    this.#wantedGone.set(place, [name, key, address]);
    return undefined;
  }

  get #single(): RecordLookup | undefined {
    const single = this.#lookup(this.#call.method.v2?.single ?? '');
    return single?.form === 'record' ? single : undefined;
  }

  #record(name: string, key: string): Entry | undefined {
    if (this.#call.method.v2?.lookups?.includes(name) !== true) return undefined;
    const place = `${name}\n${key.toLowerCase()}`;
    if (!this.#records.has(place)) this.#wantedRecords.set(place, [name, key]);
    return this.#records.get(place);
  }

  /**
   * The key of the entry whose field has this text; null if a table within a record has no such entry. Throws
   * `InvalidCall`.
   */
  keyOf(name: string, field: string, text: string): string | null | undefined {
    const lookup = this.#lookup(name);
    if (lookup?.form === 'within') {
      const rows = this.#around.flatMap((one) =>
        entriesOf(valueAt(one, pathOf(lookup.path), () => undefined)),
      );
      return (
        textOf(
          own(
            rows.find((row) => isText(own(row, field), text)),
            lookup.key,
          ),
        ) ?? null
      );
    }
    const table = this.#table(name);
    for (const [key, row] of table?.rows ?? []) if (isText(row[field], text)) return key;
    if (table !== undefined && table.since >= this.#begun)
      throw this.#call.invalid((lookup?.form === 'list' ? lookup.unknown : undefined) ?? `Unknown: ${text}`);
    this.#wantedLists.add(name);
    return undefined;
  }

  /** The entries of a list in the service's order, each with its key. */
  all(name: string): readonly Entry[] {
    const lookup = this.#lookup(name);
    const table = this.#table(name);
    if (table === undefined || lookup?.form !== 'list') return [];
    return Array.from(table.rows, ([key, row]) => ({ [lookup.key]: key, ...row }));
  }

  /** Reads until nothing is missing. What the service does not know stays undefined. */
  async settled<T>(read: () => T): Promise<T> {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const wanted of [this.#wantedLists, this.#wantedRecords, this.#wantedGone]) wanted.clear();
      const result = read();
      if (this.#wantedLists.size + this.#wantedRecords.size + this.#wantedGone.size === 0) return result;
      await this.#fetch();
    }
    return read();
  }

  async #fetch(): Promise<void> {
    for (const name of this.#wantedLists) await this.#fetchList(name);
    this.#spare();
    await inTurns([...this.#wantedRecords], ([place, [name, key]]) => this.#fetchRecord(place, name, key));
    const roots = Map.groupBy(this.#wantedGone.values(), ([, , root]) => root);
    const most = this.#single?.most ?? 0;
    await inTurns([...roots].slice(0, most), ([root, wanted]) => this.#fetchGone(root, wanted));
    for (const [list, key] of [...roots].slice(most).flatMap(([, wanted]) => wanted)) this.#alone(list, key);
  }

  async #fetchList(name: string): Promise<void> {
    const lookup = this.#lookup(name);
    if (lookup?.form !== 'list') return;
    const since = this.#call.around.now();
    const rows = new Map<string, Entry>();
    for (const query of lookup.queries)
      for (const record of await this.#asking.rows({ verb: 'GET', path: lookup.path, query }))
        for (const row of lookup.at === undefined
          ? [record]
          : entries(valueAt(record, pathOf(lookup.at), () => undefined)))
          rows.set(
            (textOf(own(row, lookup.key)) ?? '').toLowerCase(),
            picked(row, lookup.keep, lookup.called),
          );
    this.#cache.tables.set(name, { rows, since });
  }

  /**
   * Fetches no records if a reply needs too many: hundreds of them would use up the rate limit for minutes.
   */
  #spare(): void {
    const tables = Map.groupBy(this.#wantedRecords, ([, [name]]) => name);
    for (const [name, wanted] of tables) {
      const lookup = this.#lookup(name);
      if (lookup?.form !== 'record' || wanted.length <= lookup.most) continue;
      for (const [place] of wanted) {
        this.#records.set(place, undefined);
        this.#wantedRecords.delete(place);
      }
    }
  }

  async #fetchRecord(place: string, name: string, key: string): Promise<void> {
    const lookup = this.#lookup(name);
    if (lookup?.form !== 'record') return;
    const path = lookup.path.map((part) => (part === '{key}' ? key : part));
    const record = await this.#asking.record(path, lookup.query);
    const none = lookup.stays === true ? { uuid: key } : undefined;
    this.#records.set(place, record === undefined ? none : picked(record, lookup.keep, lookup.called));
  }

  async #fetchGone(root: string, wanted: readonly (readonly [string, string, string])[]): Promise<void> {
    const single = this.#single;
    if (single === undefined) return;
    const path = single.path.map((part) => (part === '{key}' ? root : part));
    const record = await this.#asking.record(path, single.query);
    for (const [list, key] of wanted) {
      const lookup = this.#lookup(list);
      if (lookup?.form !== 'list') continue;
      const places = (single.names?.[list] ?? []).map((at) => valueAt(record, pathOf(at), () => undefined));
      const found = places
        .flatMap((value) => [value, ...entries(value)])
        .find((one) => isText(own(one, lookup.key), key));
      if (found === undefined) this.#alone(list, key);
      else this.#gone.set(`${list}\n${key.toLowerCase()}`, picked(found, lookup.keep));
    }
  }

  #alone(list: string, key: string): void {
    const lookup = this.#lookup(list);
    if (lookup?.form === 'list') this.#gone.set(`${list}\n${key.toLowerCase()}`, { [lookup.key]: key });
  }
}

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += RECORDS_AT_ONCE)
    await Promise.all(all.slice(at, at + RECORDS_AT_ONCE).map(work));
}

/** V2 gives some lists as an object with a key for each entry. */
const entriesOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : isObject(value) ? Object.values(value) : [];

const isText = (value: unknown, text: string): boolean =>
  textOf(value)?.trim().toLowerCase() === text.trim().toLowerCase();
