import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Exporting } from './exporting.ts';
import type { Importing } from './importing.ts';

export interface GrantMovesParts {
  readonly importing: Pick<Importing, 'resume'>;
  readonly exporting: Pick<Exporting, 'expire'>;
  readonly log: Log;
}

/** Continues unfinished imports, and deletes copies of exported grants that have expired. */
export class GrantMovesJob {
  readonly #parts: GrantMovesParts;

  constructor(parts: GrantMovesParts) {
    this.#parts = parts;
  }

  /** Never rejects: the next run continues. */
  async run(): Promise<void> {
    const { importing, exporting, log } = this.#parts;
    try {
      await importing.resume();
      await exporting.expire();
    } catch (error) {
      log.error('grants.job-failed', { error: wordsOf(error) });
    }
  }
}
