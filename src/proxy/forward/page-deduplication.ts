import { Failure } from '../../lib/failure.ts';

/** No service puts more on a page; a list in one piece has no pages and is not remembered whole. */
const MOST_REMEMBERED = 5_000;
/** Slots at first: their number doubles when half are in use. */
const FEWEST_SLOTS = 2_048;

/**
 * The records of the last two pages of a list. Records come and go while a list is read: a new one pushes others onto
 * the next page, where they would be written twice; a deleted one pulls others back onto the previous page, which is
 * not read again. Of earlier pages only hashes are remembered, to count what came twice.
 */
export class PageDeduplication<T> {
  readonly #identityOf: (record: T) => string | undefined;
  #older: ReadonlySet<string> = new Set();
  #last: ReadonlySet<string> = new Set();
  #here = new Set<string>();
  /** The hashes of this page. */
  #hashes: number[] = [];
  /** The hashes of all pages before this one, and so of the last two. */
  readonly #before = new Numbers();
  #received = 0;
  #distinct = 0;
  #fewest = 0;

  /** Records without an identity always count as new. */
  constructor(identityOf: (record: T) => string | undefined) {
    this.#identityOf = identityOf;
  }

  /** The records of this page that were on neither of the last two. */
  fresh(records: readonly T[]): readonly T[] {
    let known = 0;
    let repeated = 0;
    for (const record of records) {
      const identity = this.#identityOf(record);
      if (identity === undefined) continue;
      const hash = hashOf(identity);
      if (this.#here.size < MOST_REMEMBERED) {
        this.#here.add(identity);
        this.#hashes.push(hash);
      }
      if (!this.#before.has(hash)) continue;
      repeated += 1;
      if (this.#isOlder(identity)) known += 1;
    }
    this.#received += records.length;
    this.#distinct += records.length - repeated;
    return known === 0 ? records : records.filter((record) => !this.#isOlder(this.#identityOf(record)));
  }

  /** Ends the page; `total`: the count of all records that came with it. */
  turn(total?: number): void {
    this.#fewest = Math.min(total ?? this.#fewest, this.#fewest || Infinity);
    for (const hash of this.#hashes) this.#before.add(hash);
    this.#hashes = [];
    this.#older = this.#last;
    this.#last = this.#here;
    this.#here = new Set();
  }

  /**
   * Throws `Failure` if the service gave as many records as it counted only because some came twice: as many others have
   * moved onto a page read before.
   */
  checkEnd(): void {
    if (this.#distinct < this.#fewest && this.#fewest <= this.#received) throw new Failure('upstreamAnswer');
  }

  /** Whether moved records can be recognised at all. */
  get remembers(): boolean {
    return this.#last.size > 0;
  }

  /**
   * For an earlier page read again: the records after the last one known from the previous two pages; undefined: none
   * is known, so the page before that has to show where the new part begins.
   */
  behind(records: readonly T[]): readonly T[] | undefined {
    const at = records.findLastIndex((record) => this.#isOlder(this.#identityOf(record)));
    return at < 0 ? undefined : records.slice(at + 1);
  }

  /** The records that are not on this page either; from now on they count as on it. */
  moved(records: readonly T[]): readonly T[] {
    const others = records.filter((record) => !this.#here.has(this.#identityOf(record) ?? ''));
    this.#received += records.length - others.length;
    return this.fresh(others);
  }

  #isOlder(identity: string | undefined): boolean {
    return identity !== undefined && (this.#last.has(identity) || this.#older.has(identity));
  }
}

/** Numbers above 0 in a hash table with open addressing: in a `Set`, each would be an object. */
class Numbers {
  /** 0: the slot is free. */
  #slots = new Float64Array(FEWEST_SLOTS);
  #used = 0;

  has(number: number): boolean {
    return this.#slots[this.#placeOf(number)] === number;
  }

  add(number: number): void {
    const place = this.#placeOf(number);
    if (this.#slots[place] === number) return;
    this.#slots[place] = number;
    this.#used += 1;
    if (2 * this.#used > this.#slots.length) this.#grow();
  }

  /** The slot of the number, or the free one that it would take. */
  #placeOf(number: number): number {
    const mask = this.#slots.length - 1;
    let place = number & mask;
    for (;;) {
      const found = this.#slots[place];
      if (found === 0 || found === number) return place;
      place = (place + 1) & mask;
    }
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Float64Array(2 * slots.length);
    for (const number of slots) if (number !== 0) this.#slots[this.#placeOf(number)] = number;
  }
}

/**
 * 53 bits (cyrb53), never 0: in a list of 100,000 records, the chance that two have the same hash is about one in two million.
 * An identity itself would keep the text of its page in memory.
 */
function hashOf(identity: string): number {
  let [low, high] = [0xdead_beef, 0x41c6_ce57];
  for (let at = 0; at < identity.length; at += 1) {
    const code = identity.charCodeAt(at);
    low = Math.imul(low ^ code, 0x9e37_79b1);
    high = Math.imul(high ^ code, 0x5f35_6495);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0) || 1;
}
