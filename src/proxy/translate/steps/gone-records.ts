import { entries, own, picked, textOf, valueAt } from '../../../mapping/compile/path.ts';
import type { RecordLookup } from '../../../mapping/compile/v2/v2-model.ts';
import type { Kept, ListLookup, LookupSource, Table } from '../lookup-cache.ts';

/** Records that are read at once: each is a call within the account's budget. */
const AT_ONCE = 4;
/** Remembered of one list. */
const MOST_REMEMBERED = 1_000;

interface Wanted {
  readonly list: ListLookup;
  readonly table: Table;
  /** Of the record that is gone. */
  readonly key: string;
}

/**
 * Records that V2 lists no more and other records still name. V2 names them where the record that refers to them is read
 * by itself; one such read tells it for all records of the reply, and for later ones. Otherwise the identifier is all
 * that is known.
 */
export class GoneRecords {
  readonly #source: LookupSource;
  readonly #single: RecordLookup | undefined;
  readonly #spared: (table: string) => void;
  readonly #found = new Map<string, Kept>();
  /** By the address of the record that names it. */
  readonly #wanted = new Map<string, Wanted[]>();
  #asked = 0;

  /** `spared`: told of a list of whose records more are gone than one reply may ask for. */
  constructor(
    source: LookupSource,
    single: RecordLookup | undefined,
    spared: (table: string) => void = () => undefined,
  ) {
    this.#source = source;
    this.#single = single;
    this.#spared = spared;
  }

  /** Whether nothing is awaited. */
  get isComplete(): boolean {
    return this.#wanted.size === 0;
  }

  /** `root`: the record that names it. Undefined: asked for. */
  find(list: ListLookup, table: Table, key: string, root: unknown): Kept | undefined {
    const found = this.#found.get(keyOf(list, key));
    if (found !== undefined) return found;
    const address = textOf(own(root, 'uuid')) ?? '';
    if (address === '' || this.#single?.names.has(list.name) !== true) return alone(list, key);
    const all = [...this.#wanted.values()].flat();
    if (all.some((one) => one.list === list && one.key.toLowerCase() === key.toLowerCase())) return undefined;
    this.#wanted.set(address, [...(this.#wanted.get(address) ?? []), { list, table, key }]);
    return undefined;
  }

  async fetch(): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const asked = wanted.splice(0, (this.#single?.most ?? 0) - this.#asked);
    this.#asked += asked.length;
    for (let at = 0; at < asked.length; at += AT_ONCE)
      await Promise.all(asked.slice(at, at + AT_ONCE).map((one) => this.#read(...one)));
    for (const { list, key } of wanted.flatMap(([, all]) => all)) {
      this.#spared(list.name);
      this.#found.set(keyOf(list, key), alone(list, key));
    }
  }

  async #read(address: string, all: readonly Wanted[]): Promise<void> {
    if (this.#single === undefined) return;
    const segments = this.#single.segments.map((segment) => (segment === '{key}' ? address : segment));
    const record = await this.#source.record(segments, this.#single.query);
    for (const { list, table, key } of all) {
      const found = namedIn(record, this.#single, list, key) ?? alone(list, key);
      this.#found.set(keyOf(list, key), found);
      if (table.gone.size < MOST_REMEMBERED) table.gone.set(key.toLowerCase(), found);
    }
  }
}

const keyOf = ({ name }: ListLookup, key: string): string => `${name}\n${key.toLowerCase()}`;

const alone = (list: ListLookup, key: string): Kept => ({ [list.key]: key });

function namedIn(record: unknown, { names }: RecordLookup, list: ListLookup, key: string): Kept | undefined {
  const isIt = (one: unknown): boolean => textOf(own(one, list.key))?.toLowerCase() === key.toLowerCase();
  for (const path of names.get(list.name) ?? []) {
    const value = valueAt(record, path, () => undefined);
    const found = [value, ...entries(value)].find(isIt);
    if (found !== undefined) return picked(found, list.keep);
  }
  return undefined;
}
