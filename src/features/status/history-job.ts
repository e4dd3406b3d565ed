import type { CallRepository } from '../usage/call-log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { HistoryRepository } from '../accounts/history.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';

export interface HistoryJobParts {
  readonly history: Pick<HistoryRepository, 'record'>;
  readonly calls: Pick<CallRepository, 'forget'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Stores today's counts and those of days on which no process ran; deletes counts that are too old. */
export class HistoryJob {
  readonly #parts: HistoryJobParts;

  constructor(parts: HistoryJobParts) {
    this.#parts = parts;
  }

  /** Never rejects: the next run catches up on counts that were not written. */
  async run(): Promise<void> {
    const { history, calls, clock, log } = this.#parts;
    try {
      await history.record(clock.now());
      await calls.forget(clock.now());
    } catch (error) {
      log.error('history.failed', { error: wordsOf(error) });
    }
  }
}
