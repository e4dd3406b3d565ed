import type { Clock } from '../../domain/clock.ts';
import { SECOND } from '../../domain/clock.ts';
import { Failure } from '../../domain/failure.ts';
import { entries, isObject, own, textOf, valueAt, type Find } from '../mapping/path.ts';
import type { Lookup, V2Tables } from '../mapping/v2-model.ts';

/** Fetches the rows of a list, all pages; or, of a `record` table, the one record (undefined: the service has none). */
export interface LookupSource {
  rows(
    segments: readonly string[],
    query: readonly (readonly [string, string])[],
  ): AsyncIterable<readonly unknown[]>;
  record(segments: readonly string[]): Promise<unknown>;
}

type ListLookup = Lookup & { readonly form: 'list' };
type Kept = Readonly<Record<string, unknown>>;

interface Table {
  readonly rows: ReadonlyMap<string, Kept>;
  readonly since: number;
}

interface Shelved {
  readonly table: Promise<Table>;
  /** As soon as it has come. */
  here: Table | undefined;
}

const keyOf = (account: string, name: string): string => `${account}\n${name}`;

/** Records looked up one by one go out this many at once: each is a call within the account's budget. */
const RECORDS_AT_ONCE = 4;
/** Of a list that is held for names: some hundred bytes each. */
const MOST_ENTRIES = 500_000;
/** Entries kept for all accounts together, at about 250 bytes each; the oldest lists go first. */
const MOST_KEPT = 1_000_000;
/** A list may name more lists; a chain that is longer than this has no end. */
const ROUNDS = 5;

function kept(row: unknown, { keep }: { readonly keep: readonly string[] }): Kept {
  return Object.fromEntries(keep.map((name) => [name, own(row, name)]));
}

const entriesOf = (record: unknown, { at }: ListLookup): readonly unknown[] =>
  at === undefined ? [record] : entries(valueAt(record, at, () => undefined));

/**
 * The lists that names are looked up in: fetched once for an account, kept for a while, shared by all calls, and by
 * calls that want them at the same moment.
 */
export class LookupShelf {
  readonly #tables: V2Tables;
  readonly #clock: Clock;
  readonly #most: number;
  readonly #lists = new Map<string, Shelved>();

  /** `most`: entries kept for all accounts together. */
  constructor(tables: V2Tables, clock: Clock, most = MOST_KEPT) {
    this.#tables = tables;
    this.#clock = clock;
    this.#most = most;
  }

  get tables(): V2Tables {
    return this.#tables;
  }

  now(): number {
    return this.#clock.now();
  }

  /** The list of an account. `notBefore`: one that was fetched earlier will not do. */
  async list(account: string, lookup: ListLookup, source: LookupSource, notBefore: number): Promise<Table> {
    const key = keyOf(account, lookup.name);
    const oldest = Math.max(notBefore, this.#oldest());
    // Whoever waited for a list that will not do looks again: another may have asked for a new one meanwhile.
    for (let held = this.#lists.get(key), seen; held !== undefined && held !== seen;) {
      const known = await held.table.catch(() => undefined);
      if (known !== undefined && known.since >= oldest) return known;
      [seen, held] = [held, this.#lists.get(key)];
    }
    const shelved: Shelved = { table: this.#fetch(lookup, source), here: undefined };
    this.#lists.delete(key); // a list fetched anew is the youngest
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

  /** The list of an account, where it lies here already. */
  held(account: string, name: string): Table | undefined {
    const here = this.#lists.get(keyOf(account, name))?.here;
    return here !== undefined && here.since >= this.#oldest() ? here : undefined;
  }

  #oldest(): number {
    return this.#clock.now() - this.#tables.keepSeconds * SECOND;
  }

  async #fetch(lookup: ListLookup, source: LookupSource): Promise<Table> {
    const since = this.#clock.now();
    const rows = new Map<string, Kept>();
    for (const query of lookup.queries)
      for await (const page of source.rows(lookup.segments, query))
        for (const row of page.flatMap((record) => entriesOf(record, lookup))) {
          const key = textOf(own(row, lookup.key))?.toLowerCase();
          if (key !== undefined) rows.set(key, kept(row, lookup));
          if (rows.size > MOST_ENTRIES) throw new Failure('upstreamAnswer');
        }
    return { rows, since };
  }

  /** Something of this collection was written: what is kept of it is out of date. */
  forget(account: string, collection: string): void {
    for (const lookup of this.#tables.lookups.values())
      if (lookup.form === 'list' && lookup.segments[0] === collection)
        this.#lists.delete(keyOf(account, lookup.name));
  }

  /** What is too old to be used again is not kept for accounts that never call again, nor more than there is room for. */
  #sweep(): void {
    const oldest = this.#oldest();
    let kept = 0;
    for (const [key, { here }] of [...this.#lists].reverse()) {
      kept += here?.rows.size ?? 0;
      if (here !== undefined && (here.since < oldest || kept > this.#most)) this.#lists.delete(key);
    }
  }
}

/** V2 gives some lists as an object with a key for each entry. */
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

/** Somebody named an entry that is not in its list. */
export class NotListed extends Error {
  readonly words: string | undefined;

  constructor(words: string | undefined) {
    super('not in the list');
    this.name = 'NotListed';
    this.words = words;
  }
}

/**
 * The look-ups of one call. Walks are synchronous and ask with `find`; what was not there is fetched, and the walk
 * goes again.
 */
export class Lookups {
  readonly #shelf: LookupShelf;
  readonly #account: string;
  readonly #source: LookupSource;
  readonly #allowed: ReadonlySet<string>;
  readonly #begun: number;
  readonly #lists = new Map<string, Table>();
  readonly #records = new Map<string, Kept | undefined>();
  readonly #around: unknown[] = [];
  #wantedLists = new Set<string>();
  #wantedRecords = new Map<string, readonly [table: string, key: string]>();

  constructor(shelf: LookupShelf, account: string, source: LookupSource, allowed: ReadonlySet<string>) {
    this.#shelf = shelf;
    this.#account = account;
    this.#source = source;
    this.#allowed = allowed;
    this.#begun = shelf.now();
  }

  /** An answer of an earlier step: tables within a record are looked for there as well. */
  surround(answer: unknown): void {
    if (isObject(answer)) this.#around.push(answer);
  }

  /** `root`: the record that is being read, for tables within it. */
  finder(root: unknown): Find {
    const find: Find = (table, key) => this.#find(table, key, root, find);
    return find;
  }

  #find(name: string, key: string, root: unknown, find: Find): unknown {
    const lookup = this.#shelf.tables.lookups.get(name);
    switch (lookup?.form) {
      case undefined:
        return undefined;
      case 'within':
        return [root, ...this.#around]
          .flatMap((one) => rowsWithin(one, lookup, find))
          .find((row) => isText(own(row, lookup.key), key));
      case 'record':
        return this.#allowed.has(name) ? this.#record(name, key) : undefined;
      case 'list':
        return this.#inList(name, key);
    }
  }

  /** One that lies on the shelf is taken as it is, so that nothing is walked for it twice. */
  #list(name: string): Table | undefined {
    const taken = this.#lists.get(name);
    if (taken !== undefined) return taken;
    const held = this.#shelf.held(this.#account, name);
    if (held !== undefined) this.#lists.set(name, held);
    return held;
  }

  #inList(name: string, key: string): Kept | undefined {
    const list = this.#list(name);
    const row = list?.rows.get(key.toLowerCase());
    // A list that was fetched before this call began may lack what has been made since.
    if (row === undefined && (list === undefined || list.since < this.#begun)) this.#wantedLists.add(name);
    return row;
  }

  #record(name: string, key: string): Kept | undefined {
    const id = `${name}\n${key.toLowerCase()}`;
    if (!this.#records.has(id)) this.#wantedRecords.set(id, [name, key]);
    return this.#records.get(id);
  }

  /**
   * The key of the entry whose field has the text, in any case; null where a table within a record has none, so that it
   * cannot be said. Throws `NotListed` once it is certain that a list has none.
   */
  keyOf(table: string, field: string, text: string): string | null | undefined {
    const lookup = this.#shelf.tables.lookups.get(table);
    if (lookup?.form === 'within') return this.#keyWithin(lookup, field, text);
    if (lookup?.form !== 'list') throw new NotListed(undefined);
    const list = this.#list(table);
    for (const [key, row] of list?.rows ?? [])
      if (textOf(row[field])?.trim().toLowerCase() === text.trim().toLowerCase()) return key;
    if (list !== undefined && list.since >= this.#begun) throw new NotListed(lookup.unknown);
    this.#wantedLists.add(table);
    return undefined;
  }

  #keyWithin(lookup: Lookup & { readonly form: 'within' }, field: string, text: string): string | null {
    const rows = this.#around.flatMap((one) => rowsWithin(one, lookup, () => undefined));
    const found = rows.find((row) => isText(own(row, field), text.trim()));
    return textOf(own(found, lookup.key)) ?? null;
  }

  /** The first entry of a list, with its key under the list's own name for it. */
  first(table: string): unknown {
    return this.all(table)[0];
  }

  /** The entries of a list in the order in which the service gave them, each with its key. */
  all(table: string): readonly unknown[] {
    const lookup = this.#shelf.tables.lookups.get(table);
    const list = this.#list(table);
    if (list === undefined || lookup?.form !== 'list') {
      this.#wantedLists.add(table);
      return [];
    }
    return [...list.rows].map(([key, row]) => ({ [lookup.key]: key, ...row }));
  }

  /** Walks until nothing is missing any more. What the service does not know stays undefined. */
  async settled<T>(walk: () => T): Promise<T> {
    for (let round = 0; round < ROUNDS; round += 1) {
      this.#wantedLists = new Set();
      this.#wantedRecords = new Map();
      const result = walk();
      if (this.#wantedLists.size === 0 && this.#wantedRecords.size === 0) return result;
      await this.#fetch();
    }
    return walk();
  }

  async #fetch(): Promise<void> {
    for (const name of this.#wantedLists) {
      const lookup = this.#shelf.tables.lookups.get(name);
      if (lookup?.form !== 'list') continue;
      const again = this.#lists.has(name);
      const list = await this.#shelf.list(this.#account, lookup, this.#source, again ? this.#begun : 0);
      this.#lists.set(name, list);
    }
    const wanted = [...this.#wantedRecords];
    for (let at = 0; at < wanted.length; at += RECORDS_AT_ONCE)
      await Promise.all(
        wanted.slice(at, at + RECORDS_AT_ONCE).map(([id, [table, key]]) => this.#fetchRecord(id, table, key)),
      );
  }

  async #fetchRecord(id: string, table: string, key: string): Promise<void> {
    const lookup = this.#shelf.tables.lookups.get(table);
    if (lookup?.form !== 'record') return;
    const segments = lookup.segments.map((segment) => (segment === '{key}' ? key : segment));
    const record = await this.#source.record(segments);
    this.#records.set(id, record === undefined ? undefined : kept(record, lookup));
  }
}
