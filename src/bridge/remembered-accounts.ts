import type { AccountBook, KeyedAccount } from '../domain/accounts.ts';
import type { Clock } from '../domain/clock.ts';
import { isAway } from '../domain/store-fault.ts';

/** Where accounts are looked up by their keys. */
export type KeyedBook = Pick<AccountBook, 'byKeyIndex'>;

export interface RememberedAccountsParts {
  readonly book: KeyedBook;
  readonly clock: Clock;
  /** Milliseconds for which a row may stand in for itself while the database is away; 0: not at all. */
  readonly lifetime: number;
}

interface Confirmed {
  readonly row: KeyedAccount;
  readonly at: number;
}

/** As many as a busy bridge serves; a row is about a kilobyte. */
const MOST = 20_000;

/**
 * Accounts as their rows were last confirmed. While the database is away a read is served from them for a while: longer
 * would be wrong, because another instance may have moved or closed the account. That nobody has a key is not remembered.
 */
export class RememberedAccounts {
  readonly #parts: RememberedAccountsParts;
  /** The one confirmed last stands at the end. */
  readonly #rows = new Map<string, Confirmed>();

  constructor(parts: RememberedAccountsParts) {
    this.#parts = parts;
  }

  /** As the row is now: for calls that write. Throws what the book throws. */
  readonly present: KeyedBook = {
    byKeyIndex: async (indexes) => {
      const key = indexes.join(' ');
      const row = await this.#parts.book.byKeyIndex(indexes);
      this.#rows.delete(key);
      if (row !== undefined) this.#remember(key, row);
      return row;
    },
  };

  /** As the row is now or, while the database is away, as it was confirmed last: for calls that read. */
  readonly lately: KeyedBook = {
    byKeyIndex: async (indexes) => {
      try {
        return await this.present.byKeyIndex(indexes);
      } catch (error) {
        const row = isAway(error) ? this.#recall(indexes.join(' ')) : undefined;
        if (row === undefined) throw error;
        return row;
      }
    },
  };

  #remember(key: string, row: KeyedAccount): void {
    this.#rows.set(key, { row, at: this.#parts.clock.now() });
    if (this.#rows.size <= MOST) return;
    const [oldest] = this.#rows.keys();
    if (oldest !== undefined) this.#rows.delete(oldest);
  }

  #recall(key: string): KeyedAccount | undefined {
    const found = this.#rows.get(key);
    if (found === undefined) return undefined;
    const age = this.#parts.clock.now() - found.at;
    // A clock that was put back would make the row live longer.
    return age >= 0 && age < this.#parts.lifetime ? found.row : undefined;
  }
}
