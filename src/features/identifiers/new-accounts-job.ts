/**
 * An operator who has imported a list wants to invite its customers soon, and an invitation should wait until the
 * numbers of an account are known. With the hourly job that could take an hour; this one looks at the feed of all
 * timelines every few seconds, which costs one query where nothing has happened.
 */
import type { HistoryRepository } from '../accounts/history.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { joined } from '../../lib/text/joined.ts';
import type { IdentifierSync } from './identifier-sync.ts';

/** Timeline entries after which V1 may be able to list an account's numbers. */
const occasions: ReadonlySet<string> = new Set(['added', 'discovered', 'changed']);
/** Entries read at once. */
const AT_ONCE = 500;

export interface NewAccountsParts {
  readonly history: Pick<HistoryRepository, 'since' | 'latest'>;
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly identifierSync: Pick<IdentifierSync, 'learn'>;
  readonly log: Log;
}

/**
 * Reads the numbers of accounts that were added or changed since the last run, whichever process added them, one
 * after the other. Accounts added while no bridge ran are left to the job that reads all accounts.
 */
export class NewAccountsJob {
  readonly #parts: NewAccountsParts;
  #seen: number | undefined;

  constructor(parts: NewAccountsParts) {
    this.#parts = parts;
  }

  /** Never rejects; an error in one account does not affect the others. */
  readonly run = joined((signal) => this.#run(signal));

  async #run(signal: AbortSignal | undefined): Promise<void> {
    const { history, log } = this.#parts;
    try {
      this.#seen ??= await history.latest();
      for (const id of await this.#fresh()) {
        if (signal?.aborted === true) return;
        await this.#learn(id);
      }
    } catch (error) {
      log.error('learning.failed', { error: wordsOf(error) });
    }
  }

  async #fresh(): Promise<ReadonlySet<string>> {
    const events = await this.#parts.history.since(this.#seen ?? 0, { limit: AT_ONCE });
    this.#seen = events.at(-1)?.seq ?? this.#seen;
    return new Set(events.filter(({ kind }) => occasions.has(kind)).map(({ accountId }) => accountId));
  }

  async #learn(id: string): Promise<void> {
    const { repository, identifierSync, log } = this.#parts;
    try {
      const account = await repository.byId(id);
      if (account?.life.stage === 'legacy') await identifierSync.learn(account);
    } catch (error) {
      log.error('learning.failed', { account: id, error: wordsOf(error) });
    }
  }
}
