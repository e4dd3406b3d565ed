import { entries, own, picked, textOf, valueAt } from '../../../mapping/compile/path.ts';
import type { RecordLookup } from '../../../mapping/compile/v2/v2-model.ts';
import type { Kept, ListLookup, LookupSource, Table } from '../lookups/lookup-cache.ts';

/** Records read at once: each is a call within the account's limit. */
const AT_ONCE = 4;
/** Most records remembered per list. */
const MOST_REMEMBERED = 1_000;

interface Wanted {
  readonly list: ListLookup;
  readonly table: Table;
  /** The identifier of the record that is gone. */
  readonly key: string;
  /** The UUID of a record that refers to it. */
  readonly address: string;
}

/**
 * Records that V2 no longer lists but other records still refer to. V2 gives their name when a record that refers to
 * them is read singly; one such read serves all records of this reply and later ones. Otherwise only the identifier is
 * known.
 */
export class GoneRecords {
  readonly #source: LookupSource;
  readonly #single: RecordLookup | undefined;
  readonly #spared: (table: string) => void;
  readonly #found = new Map<string, Kept>();
  readonly #wanted = new Map<string, Wanted>();
  #asked = 0;

  /** `spared`: called with a list that has more missing records than one reply may request. */
  constructor(
    source: LookupSource,
    single: RecordLookup | undefined,
    spared: (table: string) => void = () => undefined,
  ) {
    this.#source = source;
    this.#single = single;
    this.#spared = spared;
  }

  /** Whether nothing is left to fetch. */
  get isComplete(): boolean {
    return this.#wanted.size === 0;
  }

  /** `root`: the record that refers to it. Returns undefined if it must be fetched first. */
  find(list: ListLookup, table: Table, key: string, root: unknown): Kept | undefined {
    const place = keyOf(list, key);
    const found = this.#found.get(place);
    if (found !== undefined) return found;
    const address = textOf(own(root, 'uuid')) ?? '';
    if (address === '' || this.#single?.names.has(list.name) !== true) return alone(list, key);
    if (!this.#wanted.has(place)) this.#wanted.set(place, { list, table, key, address });
    return undefined;
  }

  async fetch(): Promise<void> {
    const wanted = [...Map.groupBy(this.#wanted.values(), ({ address }) => address)];
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
