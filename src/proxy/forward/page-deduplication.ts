/** No service gives more to a page; a list that comes in one piece knows no pages, and is not remembered whole. */
const MOST_REMEMBERED = 5_000;

/**
 * What the last two pages of a list held. Records come and go while a list is walked: one that was made moves others
 * onto the next page, where they would be written twice; one that was deleted moves others onto the page before, where
 * nobody looks any more. No more is remembered than two pages.
 */
export class PageDeduplication<T> {
  readonly #identityOf: (record: T) => string | undefined;
  #older: ReadonlySet<string> = new Set();
  #last: ReadonlySet<string> = new Set();
  #here = new Set<string>();

  /** Records without an identity are all taken for new. */
  constructor(identityOf: (record: T) => string | undefined) {
    this.#identityOf = identityOf;
  }

  /** Those records of this page that were on neither of the last two. */
  fresh(records: readonly T[]): readonly T[] {
    let known = 0;
    for (const record of records) {
      const identity = this.#identityOf(record);
      if (identity === undefined) continue;
      if (this.#here.size < MOST_REMEMBERED) this.#here.add(identity);
      if (this.#isOlder(identity)) known += 1;
    }
    return known === 0 ? records : records.filter((record) => !this.#isOlder(this.#identityOf(record)));
  }

  /** The page ends. */
  turn(): void {
    this.#older = this.#last;
    this.#last = this.#here;
    this.#here = new Set();
  }

  /** Whether it can be told at all which records have moved. */
  get remembers(): boolean {
    return this.#last.size > 0;
  }

  /**
   * Of an earlier page that was read once more, what stands behind all that was on one of the last two; undefined:
   * nothing of it was, so that the page before has to say where the new begins.
   */
  behind(records: readonly T[]): readonly T[] | undefined {
    const at = records.findLastIndex((record) => this.#isOlder(this.#identityOf(record)));
    return at < 0 ? undefined : records.slice(at + 1);
  }

  /** Those that are on this page neither, and stand on it from now on. */
  moved(records: readonly T[]): readonly T[] {
    const here = new Set(this.#here);
    return this.fresh(records).filter((record) => !here.has(this.#identityOf(record) ?? ''));
  }

  #isOlder(identity: string | undefined): boolean {
    return identity !== undefined && (this.#last.has(identity) || this.#older.has(identity));
  }
}
