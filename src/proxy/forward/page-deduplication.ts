import { Failure } from '../../lib/failure.ts';

/** No service puts more on a page; a list in one piece has no pages and is not remembered whole. */
const MOST_REMEMBERED = 5_000;

/**
 * The records of the last two pages of a list. Records come and go while a list is read: a new one pushes others onto
 * the next page, where they would be written twice; a deleted one pulls others back onto the previous page, which is
 * not read again. Only two pages are remembered.
 */
export class PageDeduplication<T> {
  readonly #identityOf: (record: T) => string | undefined;
  #older: ReadonlySet<string> = new Set();
  #last: ReadonlySet<string> = new Set();
  #here = new Set<string>();
  #received = 0;
  #fresh = 0;
  #fewest = 0;

  /** Records without an identity always count as new. */
  constructor(identityOf: (record: T) => string | undefined) {
    this.#identityOf = identityOf;
  }

  /** The records of this page that were on neither of the last two. */
  fresh(records: readonly T[]): readonly T[] {
    let known = 0;
    for (const record of records) {
      const identity = this.#identityOf(record);
      if (identity === undefined) continue;
      if (this.#here.size < MOST_REMEMBERED) this.#here.add(identity);
      if (this.#isOlder(identity)) known += 1;
    }
    const fresh =
      known === 0 ? records : records.filter((record) => !this.#isOlder(this.#identityOf(record)));
    this.#received += records.length;
    this.#fresh += fresh.length;
    return fresh;
  }

  /** Ends the page; `total`: the count of all records that came with it. */
  turn(total?: number): void {
    this.#fewest = Math.min(total ?? this.#fewest, this.#fewest || Infinity);
    this.#older = this.#last;
    this.#last = this.#here;
    this.#here = new Set();
  }

  /**
   * Throws `Failure` if the service gave as many records as it counted only because some came twice: as many others have
   * moved onto a page read before.
   */
  checkEnd(): void {
    if (this.#fresh < this.#fewest && this.#fewest <= this.#received) throw new Failure('upstreamAnswer');
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
    const here = new Set(this.#here);
    const fresh = this.fresh(records);
    const moved = fresh.filter((record) => !here.has(this.#identityOf(record) ?? ''));
    this.#fresh -= fresh.length - moved.length;
    return moved;
  }

  #isOlder(identity: string | undefined): boolean {
    return identity !== undefined && (this.#last.has(identity) || this.#older.has(identity));
  }
}
