/**
 * The look-ups of one call: the records behind the identifiers in V2's answers, such as the name of a client's manager.
 *
 * Reading a record is synchronous and calls `find`; a missing value is noted and undefined. `settled` fetches the
 * missing values and reads again until nothing is missing (a few rounds at most), so that a page of records costs a few
 * calls and not one each. Lists come from a cache per account (`lookup-cache.ts`). Records that cost a call each are
 * only requested if the mapping allows it and up to a number per reply; otherwise the element stays empty and is
 * counted.
 */
import { isObject, own, picked, textOf, valueAt, type Find } from '../../../mapping/compile/path.ts';
import type { Lookup, RecordLookup, V2Row } from '../../../mapping/compile/v2/v2-model.ts';
import type { Destination } from '../../../upstream/model.ts';
import type { KeptRecords } from '../kept/kept-records.ts';
import type { Kept, ListLookup, LookupCache, LookupSource, Table } from './lookup-cache.ts';
import { GoneRecords } from '../steps/gone-records.ts';

/** Records looked up one by one, at once: each is a call within the account's limit. */
const RECORDS_AT_ONCE = 4;
/** Keys remembered as missing in a list. */
const MOST_ABSENT = 1_000;
/** A list may refer to further lists; a longer chain than this is taken for endless. */
const ROUNDS = 5;

/** V2 returns some lists as an object with a key for each entry. */
function rowsWithin(
  record: unknown,
  { path }: Lookup & { readonly form: 'within' },
  find: Find,
): readonly unknown[] {
  const rows = valueAt(record, path, find);
  return Array.isArray(rows) ? rows : isObject(rows) ? Object.values(rows) : [];
}

const isText = (value: unknown, text: string): boolean =>
  textOf(value)?.trim().toLowerCase() === text.toLowerCase();

/** The request names an entry that is not in its list. */
export class NotListed extends Error {
  readonly words: string | undefined;

  constructor(words: string | undefined) {
    super('not in the list');
    this.name = 'NotListed';
    this.words = words;
  }
}

/** Values to be fetched. */
class Missed {
  readonly lists = new Set<string>();
  /** By lower-case key; the values are the keys as they were read. */
  readonly records = new Map<RecordLookup, Map<string, string>>();
}

/** A record to fetch, and where to store it. */
interface Wanted {
  readonly lookup: RecordLookup;
  readonly known: Map<string, Kept | undefined>;
  readonly text: string;
  readonly key: string;
}

/**
 * The look-ups of one call. Reading is synchronous and calls `find`; missing values are fetched, and reading starts
 * again.
 */
export class Lookups {
  readonly #lookupCache: LookupCache;
  readonly #to: Destination;
  readonly #source: LookupSource;
  readonly #v2: Pick<V2Row, 'lookups' | 'single'>;
  readonly #spared: (table: string) => void;
  readonly #begun: number;
  readonly #kept: KeptRecords | undefined;
  readonly #lists = new Map<string, Table>();
  /** By lower-case key; undefined: there is no such record, or it was not requested. */
  readonly #records = new Map<RecordLookup, Wanted['known']>();
  readonly #around: unknown[] = [];
  /** Undefined until a record is missing. */
  #gone: GoneRecords | undefined;
  /** What the reading in progress has missed. */
  #missed = new Missed();

  /**
   * `v2`: which costly tables may be used, and which one reads a single record; `spared`: called for a table with too
   * many wanted records, none of which is requested; `kept`: undefined if nothing is kept from V1.
   */
  constructor(
    lookupCache: LookupCache,
    to: Destination,
    source: LookupSource,
    v2: Pick<V2Row, 'lookups' | 'single'>,
    spared: (table: string) => void = () => undefined,
    kept?: KeptRecords,
  ) {
    this.#lookupCache = lookupCache;
    this.#to = to;
    this.#source = source;
    this.#v2 = v2;
    this.#spared = spared;
    this.#begun = lookupCache.clock.now();
    this.#kept = kept;
  }

  /** Sets the answer of an earlier step as a further source for tables within a record. */
  surround(answer: unknown): void {
    if (isObject(answer)) this.#around.push(answer);
  }

  /** `root`: the record being read, for tables within it. */
  finder(root: unknown): Find {
    const find: Find = (name, key) => {
      const lookup = this.#lookupCache.tables.lookups.get(name);
      switch (lookup?.form) {
        case undefined:
          return undefined;
        case 'within':
          return [root, ...this.#around]
            .flatMap((one) => rowsWithin(one, lookup, find))
            .find((row) => isText(own(row, lookup.key), key));
        case 'kept':
          return this.#kept?.find(lookup.kind, key);
        case 'record':
          return this.#v2.lookups.has(name) ? this.#record(lookup, key) : undefined;
        case 'list':
          return this.#inList(lookup, key, root);
      }
    };
    return find;
  }

  /** A cached list is used as it is, so that it is not fetched twice for one call. */
  #list(name: string): Table | undefined {
    const taken = this.#lists.get(name);
    if (taken !== undefined) return taken;
    const held = this.#lookupCache.held(this.#to, name);
    if (held !== undefined) this.#lists.set(name, held);
    return held;
  }

  #inList(lookup: ListLookup, key: string, root: unknown): Kept | undefined {
    const list = this.#list(lookup.name);
    const text = key.toLowerCase();
    const row = list?.rows.get(text);
    if (row !== undefined) return row;
    // A list fetched before this call began may lack what has been created since; it is requested once.
    if (list === undefined || (list.since < this.#begun && !list.absent.has(text))) {
      this.#missed.lists.add(lookup.name);
      return undefined;
    }
    if (list.absent.size < MOST_ABSENT) list.absent.add(text);
    return lookup.stays
      ? (list.gone.get(text) ?? this.#goneRecords.find(lookup, list, key, root))
      : undefined;
  }

  get #goneRecords(): GoneRecords {
    if (this.#gone !== undefined) return this.#gone;
    const single = this.#lookupCache.tables.lookups.get(this.#v2.single ?? '');
    const table = single?.form === 'record' ? single : undefined;
    return (this.#gone = new GoneRecords(this.#source, table, this.#spared));
  }

  #record(lookup: RecordLookup, key: string): Kept | undefined {
    const text = key.toLowerCase();
    const known = this.#records.get(lookup);
    if (known?.has(text) === true) return known.get(text);
    const { records } = this.#missed;
    const missed = records.get(lookup);
    if (missed === undefined) records.set(lookup, new Map([[text, key]]));
    else missed.set(text, key);
    return undefined;
  }

  /**
   * The key of the entry whose field has the text, in any case; null if a table within a record has no such entry,
   * which proves nothing. Throws `NotListed` once it is certain that a list has none.
   */
  keyOf(table: string, field: string, text: string): string | null | undefined {
    const lookup = this.#lookupCache.tables.lookups.get(table);
    if (lookup?.form === 'within') return this.#keyWithin(lookup, field, text);
    if (lookup?.form !== 'list') throw new NotListed(undefined);
    const list = this.#list(table);
    for (const [key, row] of list?.rows ?? [])
      if (textOf(row[field])?.trim().toLowerCase() === text.trim().toLowerCase()) return key;
    if (list !== undefined && list.since >= this.#begun) throw new NotListed(lookup.unknown);
    this.#missed.lists.add(table);
    return undefined;
  }

  #keyWithin(lookup: Lookup & { readonly form: 'within' }, field: string, text: string): string | null {
    const rows = this.#around.flatMap((one) => rowsWithin(one, lookup, () => undefined));
    const found = rows.find((row) => isText(own(row, field), text.trim()));
    return textOf(own(found, lookup.key)) ?? null;
  }

  /** The entries of a list in the service's order, each with its key under the list's own name for it. */
  all(table: string): readonly unknown[] {
    const lookup = this.#lookupCache.tables.lookups.get(table);
    const list = this.#list(table);
    if (list === undefined || lookup?.form !== 'list') {
      this.#missed.lists.add(table);
      return [];
    }
    return [...list.rows].map(([key, row]) => ({ [lookup.key]: key, ...row }));
  }

  /**
   * Reads until nothing is missing any more; returns a promise only if something has to be fetched. Values that the
   * service does not have stay undefined.
   */
  settled<T>(walk: () => T, rounds = ROUNDS): T | Promise<T> {
    const missed = this.#missed;
    // Values missed outside of this reading are not fetched.
    missed.lists.clear();
    missed.records.clear();
    const result = walk();
    const isAll = missed.lists.size + missed.records.size === 0 && this.#gone?.isComplete !== false;
    if ((isAll && !this.#kept?.wanted.length) || rounds === 0) return result;
    this.#missed = new Missed();
    return this.#fetched(missed, walk, rounds - 1);
  }

  async #fetched<T>({ lists, records }: Missed, walk: () => T, rounds: number): Promise<T> {
    await this.#kept?.fetch();
    await this.#gone?.fetch();
    for (const name of lists) await this.#fetchList(name);
    if (records.size > 0) await this.#fetchRecords(records);
    return this.settled(walk, rounds);
  }

  async #fetchList(name: string): Promise<void> {
    const lookup = this.#lookupCache.tables.lookups.get(name);
    if (lookup?.form !== 'list') return;
    const again = this.#lists.has(name);
    const list = await this.#lookupCache.list(this.#to, lookup, this.#source, again ? this.#begun : 0);
    this.#lists.set(name, list);
  }

  async #fetchRecords(missed: Missed['records']): Promise<void> {
    const wanted: Wanted[] = [];
    for (const [lookup, keys] of missed) {
      const known = this.#records.get(lookup) ?? new Map<string, Kept | undefined>();
      this.#records.set(lookup, known);
      // Hundreds of records would use up the account's whole limit for minutes, and fail in the end.
      const isSpared = known.size + keys.size > lookup.most;
      if (isSpared) this.#spared(lookup.name);
      for (const [text, key] of keys)
        if (isSpared) known.set(text, undefined);
        else wanted.push({ lookup, known, text, key });
    }
    const fetched: Promise<void>[] = [];
    for (const one of wanted) {
      fetched.push(this.#fetchRecord(one));
      if (fetched.length === RECORDS_AT_ONCE) await Promise.all(fetched.splice(0));
    }
    await Promise.all(fetched);
  }

  async #fetchRecord({ lookup, known, text, key }: Wanted): Promise<void> {
    const segments: string[] = [];
    for (const segment of lookup.segments) segments.push(segment === '{key}' ? key : segment);
    const record = await this.#source.record(segments, lookup.query);
    const none = lookup.stays ? { uuid: key } : undefined;
    known.set(text, record === undefined ? none : picked(record, lookup.keep, lookup.called));
  }
}
