import { timingSafeEqual } from 'node:crypto';
import type { Account } from '../domain/account.ts';
import type { Keys } from '../domain/call.ts';
import { Failure } from '../domain/failure.ts';
import type { Seal } from '../domain/seal.ts';
import type { KeyedBook } from './remembered-accounts.ts';

/** Whose call it is. A stranger's account key is in no row; V1 may know it all the same. */
export type Caller = { readonly known: true; readonly account: Account } | { readonly known: false };

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Key pair → account. Keys are looked up by keyed hash; nothing behind this door sees them. */
export class AccountDirectory {
  readonly #book: KeyedBook;
  readonly #seal: Seal;

  constructor(book: KeyedBook, seal: Seal) {
    this.#book = book;
    this.#seal = seal;
  }

  /** Throws `Failure` keysRefused for a closed account, or an API key other than the one stored. */
  async resolve(keys: Keys): Promise<Caller> {
    const row = await this.#book.byKeyIndex(this.#seal.index(keys.accountKey, 'account-key'));
    if (!row) return { known: false };
    const { account, apiKeyIndex } = row;
    if (account.life.stage === 'closed') throw new Failure('keysRefused');
    if (apiKeyIndex !== undefined) {
      const given = this.#seal.index(keys.apiKey, 'api-key');
      if (!given.some((index) => same(index, apiKeyIndex))) throw new Failure('keysRefused');
    }
    return { known: true, account };
  }
}
