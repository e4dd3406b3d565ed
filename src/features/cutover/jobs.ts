import type { StageName } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { Cutover } from './cutover.ts';
import { joined } from '../../lib/text/joined.ts';
import type { IdentifierSync } from '../identifiers/identifier-sync.ts';

/** Runs a task for every account at some stages, one after the other, so that the service gets no burst of calls. */
class PeriodicJob {
  readonly #repository: AccountRepository;
  readonly #log: Log;
  readonly #name: string;
  readonly #stages: readonly StageName[];
  readonly #step: (accountId: string) => Promise<unknown>;

  constructor(
    parts: { readonly repository: AccountRepository; readonly log: Log },
    name: string,
    stages: readonly StageName[],
    step: (accountId: string) => Promise<unknown>,
  ) {
    this.#repository = parts.repository;
    this.#log = parts.log;
    this.#name = name;
    this.#stages = stages;
    this.#step = step;
  }

  /**
   * Never rejects; an error in one account does not affect the others. Joins a run that is still in progress.
   */
  readonly run = joined((signal) => this.#run(signal));

  async #run(signal: AbortSignal | undefined): Promise<void> {
    const accounts = await this.#repository.list(this.#stages).catch((error: unknown) => {
      this.#failed(undefined, error);
      return [];
    });
    for (const account of accounts) {
      if (signal?.aborted === true) return;
      await this.#step(account.id).catch((error: unknown) => {
        this.#failed(account.id, error);
      });
    }
  }

  #failed(account: string | undefined, error: unknown): void {
    this.#log.error(`${this.#name}.failed`, {
      account,
      error: wordsOf(error),
    });
  }
}

/**
 * Learns the numbers of accounts that have not moved, again and again, so that new records are known by the next day.
 */
export class IdentifierSyncJob {
  readonly #job: PeriodicJob;

  constructor(parts: {
    readonly repository: AccountRepository;
    readonly identifierSync: IdentifierSync;
    readonly log: Log;
  }) {
    const { repository, identifierSync } = parts;
    this.#job = new PeriodicJob(
      parts,
      'learning',
      ['legacy', 'awaiting-operator', 'consented'],
      async (id) => {
        const account = await repository.byId(id);
        if (account !== undefined) await identifierSync.learn(account);
      },
    );
  }

  run(signal?: AbortSignal): Promise<void> {
    return this.#job.run(signal);
  }
}

/** Checks waiting accounts again, and continues what follows a move. */
export class CutoverJob {
  readonly #job: PeriodicJob;
  readonly #parts: { readonly cutover: Pick<Cutover, 'resume'>; readonly log: Log };

  constructor(parts: {
    readonly repository: AccountRepository;
    readonly cutover: Cutover;
    readonly log: Log;
  }) {
    this.#parts = parts;
    this.#job = new PeriodicJob(parts, 'cutover', ['consented'], (id) => parts.cutover.recheck(id));
  }

  async run(signal?: AbortSignal): Promise<void> {
    await this.#job.run(signal);
    if (signal?.aborted === true) return;
    await this.#parts.cutover.resume(signal).catch((error: unknown) => {
      this.#parts.log.error('cutover.resume-failed', { error: wordsOf(error) });
    });
  }
}
