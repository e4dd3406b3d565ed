import type { Observer } from '../../proxy/route-parts.ts';
import type { Keys } from '../../features/accounts/keys.ts';
import type { KnownCaller } from '../../features/accounts/account-directory.ts';
import { nameOf, type Log } from '../../lib/log/log.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { keyPlaces } from '../../features/accounts/account-keys.ts';
import type { Accounts } from '../../features/accounts/accounts.ts';
import { Dropped, type DeferredWrites } from '../../db/deferred-writes.ts';

const MOST_REMEMBERED = 100_000;

/** The stores for an observed account and its keys. */
export interface ObserverParts {
  readonly deferred: Pick<DeferredWrites, 'add'>;
  readonly accounts: Pick<Accounts, 'discover' | 'observed'>;
  readonly seal: Pick<Seal, 'index'>;
  readonly log: Log;
}

/**
 * Stores what pass-through shows about accounts: once per key and process, not at every call. Callers neither wait for
 * it nor are affected if it cannot be stored.
 */
export class AccountObserver implements Observer {
  readonly noted = new WeakSet<KnownCaller>();
  readonly #parts: ObserverParts;
  readonly #seen = new Set<string>();

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  discovered(keys: Keys): void {
    const [index = ''] = this.#parts.seal.index(keys.accountKey, keyPlaces.account.purpose);
    this.#later(`discovered ${index}`, async () => {
      const account = await this.#parts.accounts.discover(keys);
      this.#parts.log.info('account.discovered', { account: account.id });
    });
  }

  accepted(caller: KnownCaller, keys: Keys): void {
    const { id } = caller.account;
    const [index = ''] = this.#parts.seal.index(keys.apiKey, keyPlaces.api.purpose);
    const seen = `${id} ${index}`;
    if (this.#seen.has(seen)) {
      this.noted.add(caller);
      return;
    }
    this.#later(`accepted ${seen}`, async () => {
      await this.#parts.accounts.observed(id, keys);
      if (this.#seen.size >= MOST_REMEMBERED) this.#seen.clear();
      this.#seen.add(seen);
    });
  }

  #later(key: string, write: () => Promise<void>): void {
    const { deferred, log } = this.#parts;
    const failed = (error: unknown): void => {
      if (!(error instanceof Dropped)) log.error('account.not-noted', { error: nameOf(error) });
    };
    deferred.add({ key, write, failed });
  }
}
