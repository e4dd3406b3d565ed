import { timingSafeEqual } from 'node:crypto';
import type { Account } from './account.ts';
import type { KeyedAccount } from './model.ts';
import type { Keys } from './keys.ts';
import { Failure } from '../../lib/failure.ts';
import type { Seal } from '../../lib/seal.ts';
import type { KeyedBook } from './remembered-accounts.ts';

/** Whose call it is. A stranger's account key is in no row; V1 may know it all the same. */
export type Caller =
  | {
      readonly known: true;
      readonly account: Account;
      /** The API key is the operator's, or V1 has answered under it. Otherwise only V1 can vouch for it. */
      readonly vouched: boolean;
    }
  | { readonly known: false };

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Key pair → account. Keys are looked up by keyed hash; nothing behind this door sees them. */
export class AccountDirectory {
  readonly #book: KeyedBook;
  readonly #seal: Seal;
  readonly #keyMissing: (accountId: string) => void;

  /** `keyMissing`: told of an account that has moved and whose API key nobody knows; its calls are refused. */
  constructor(book: KeyedBook, seal: Seal, keyMissing: (accountId: string) => void = () => undefined) {
    this.#book = book;
    this.#seal = seal;
    this.#keyMissing = keyMissing;
  }

  /**
   * Throws `Failure` keysRefused for a closed account, an API key other than the one the operator gave, and, of an
   * account that V1 serves no longer, one under which V1 has never answered.
   */
  async resolve(keys: Keys): Promise<Caller> {
    const row = await this.#book.byKeyIndex(this.#seal.index(keys.accountKey, 'account-key'));
    if (!row) return { known: false };
    const { account, apiKeyIndex } = row;
    if (account.life.stage === 'closed') throw new Failure('keysRefused');
    const vouched = this.#isKnown(row, keys);
    if (!vouched && (apiKeyIndex !== undefined || !mayVouch(account))) {
      if (apiKeyIndex === undefined && row.pinned.length === 0) this.#keyMissing(account.id);
      throw new Failure('keysRefused');
    }
    return { known: true, account, vouched };
  }

  #isKnown({ apiKeyIndex, pinned }: KeyedAccount, keys: Keys): boolean {
    const known = apiKeyIndex === undefined ? pinned : [apiKeyIndex];
    const given = this.#seal.index(keys.apiKey, 'api-key');
    return known.some((index) => given.some((one) => same(one, index)));
  }
}

/** While V1 serves an account, V1 says whether an API key is good. */
function mayVouch({ life }: Account): boolean {
  switch (life.stage) {
    case 'legacy':
    case 'awaiting-operator':
    case 'consented':
      return true;
    case 'migrated':
    case 'lost':
    case 'closed':
      return false;
  }
}
