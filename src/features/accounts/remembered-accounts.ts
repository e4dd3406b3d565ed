import type { Account } from './account.ts';
import type { AccountBook, KeyedAccount } from './model.ts';
import type { Clock } from '../../lib/clock.ts';
import { isAway } from '../../lib/store-fault.ts';

/** Where accounts are looked up by their keys. */
export type KeyedBook = Pick<AccountBook, 'byKeyIndex'>;

export interface RememberedAccountsParts {
  readonly book: KeyedBook & Pick<AccountBook, 'byId'>;
  readonly clock: Clock;
  /** Milliseconds for which a row may stand in for itself while the database is away; 0: not at all. */
  readonly lifetime: number;
}

interface Confirmed<Row> {
  readonly row: Row;
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
  /** The one confirmed last stands at the end, in both. */
  readonly #rows = new Map<string, Confirmed<KeyedAccount>>();
  readonly #accounts = new Map<string, Confirmed<Account>>();

  constructor(parts: RememberedAccountsParts) {
    this.#parts = parts;
  }

  /** As the row is now: for calls that write. Throws what the book throws. */
  readonly present: KeyedBook = {
    byKeyIndex: async (indexes) => {
      const key = indexes.join(' ');
      const row = await this.#parts.book.byKeyIndex(indexes);
      this.#remember(this.#rows, key, row);
      if (row !== undefined) this.#remember(this.#accounts, row.account.id, row.account);
      return row;
    },
  };

  /** As the row is now or, while the database is away, as it was confirmed last: for calls that read. */
  readonly lately: KeyedBook & Pick<AccountBook, 'byId'> = {
    byKeyIndex: (indexes) =>
      this.#orLately(this.#rows, indexes.join(' '), () => this.present.byKeyIndex(indexes)),
    byId: (id) =>
      this.#orLately(this.#accounts, id, async () => {
        const account = await this.#parts.book.byId(id);
        this.#remember(this.#accounts, id, account);
        return account;
      }),
  };

  async #orLately<Row>(
    from: ReadonlyMap<string, Confirmed<Row>>,
    key: string,
    read: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    try {
      return await read();
    } catch (error) {
      const row = isAway(error) ? this.#recall(from.get(key)) : undefined;
      if (row === undefined) throw error;
      return row;
    }
  }

  #remember<Row>(into: Map<string, Confirmed<Row>>, key: string, row: Row | undefined): void {
    into.delete(key);
    if (row === undefined) return;
    into.set(key, { row, at: this.#parts.clock.now() });
    if (into.size <= MOST) return;
    const [oldest] = into.keys();
    if (oldest !== undefined) into.delete(oldest);
  }

  #recall<Row>(found: Confirmed<Row> | undefined): Row | undefined {
    if (found === undefined) return undefined;
    const age = this.#parts.clock.now() - found.at;
    // A clock that was put back would make the row live longer.
    return age >= 0 && age < this.#parts.lifetime ? found.row : undefined;
  }
}
