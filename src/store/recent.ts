/**
 * What each account asked for lately. Two generations instead of a list of all uses: what is asked for moves to the
 * young one, and when that is full the old one is forgotten; a hit costs two look-ups and no bookkeeping. Every key
 * begins with the account.
 */
export class Recent<Value> {
  readonly #limit: number;
  #young = new Map<string, Map<string, Value>>();
  #old = new Map<string, Map<string, Value>>();
  #size = 0;

  /** Holds at least the last `limit` entries and at most twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(account: string, key: string): Value | undefined {
    const young = this.#young.get(account)?.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(account)?.get(key);
    if (old !== undefined) this.set(account, key, old);
    return old;
  }

  set(account: string, key: string, value: Value): void {
    const entries = this.#entriesOf(account);
    if (!entries.has(key)) this.#size += 1;
    entries.set(key, value);
    if (this.#size < this.#limit) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#size = 0;
  }

  #entriesOf(account: string): Map<string, Value> {
    const present = this.#young.get(account);
    if (present) return present;
    const entries = new Map<string, Value>();
    this.#young.set(account, entries);
    return entries;
  }
}
