/**
 * An operator who has imported a list wants to invite its customers soon, and an invitation should wait until the
 * numbers of an account are known. With the hourly job that could take an hour; this one looks at the feed of all
 * timelines every few seconds, which costs one query where nothing has happened. It also reads V1 again for accounts whose
 * keys V1 has refused, once their programs call again: until then they count as refused.
 */
import type { HistoryRepository } from '../accounts/history.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { joined } from '../../lib/text/joined.ts';
import { HOUR, MINUTE, type Clock } from '../../lib/time/clock.ts';
import type { IdentifierSync } from './identifier-sync.ts';
import { v1Events } from './learning.ts';

/** Timeline entries after which V1 may be able to list an account's numbers. */
const occasions: ReadonlySet<string> = new Set(['added', 'discovered', 'changed']);
/** Entries read at once. */
const AT_ONCE = 500;
/** Doubled after each refusal: programs whose keys V1 still refuses may call all day. */
const FIRST_PAUSE = 2 * MINUTE;

interface Refusal {
  readonly at: number;
  readonly pause: number;
}

export interface NewAccountsParts {
  readonly history: Pick<HistoryRepository, 'since' | 'latest'>;
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly identifierSync: Pick<IdentifierSync, 'learn'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads the numbers of accounts that were added or changed since the last run, whichever process added them, one
 * after the other. Accounts added while no bridge ran are left to the job that reads all accounts.
 */
export class NewAccountsJob {
  readonly #parts: NewAccountsParts;
  #seen: number | undefined;
  /** When V1 last refused the keys, and the pause from then on, by account. */
  readonly #refused = new Map<string, Refusal>();

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
      for (const [id, last] of this.#refused) {
        if (signal?.aborted === true) return;
        if (this.#parts.clock.now() - last.at >= last.pause) await this.#tryAgain(id, last);
      }
    } catch (error) {
      log.error('learning.failed', { error: wordsOf(error) });
    }
  }

  async #fresh(): Promise<ReadonlySet<string>> {
    const events = await this.#parts.history.since(this.#seen ?? 0, { limit: AT_ONCE });
    this.#seen = events.at(-1)?.seq ?? this.#seen;
    for (const { kind, accountId, at } of events)
      if (kind === v1Events.refused) this.#refused.set(accountId, { at, pause: FIRST_PAUSE });
      else if (kind === v1Events.accepted) this.#refused.delete(accountId);
    return new Set(events.filter(({ kind }) => occasions.has(kind)).map(({ accountId }) => accountId));
  }

  async #tryAgain(id: string, { at, pause }: Refusal): Promise<void> {
    const account = await this.#parts.repository.byId(id);
    if (account?.life.stage !== 'legacy') this.#refused.delete(id);
    else if ((account.lastCallAt ?? 0) > at) {
      this.#refused.set(id, { at: this.#parts.clock.now(), pause: Math.min(2 * pause, HOUR) });
      await this.#learn(id);
    }
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
