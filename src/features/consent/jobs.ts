import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { Consent } from './consent.ts';

/** Revokes the tokens of unanswered questions. */
export class ConsentJob {
  readonly #parts: { readonly consent: Pick<Consent, 'sweep'>; readonly log: Log };

  constructor(parts: { readonly consent: Pick<Consent, 'sweep'>; readonly log: Log }) {
    this.#parts = parts;
  }

  /** Never rejects: the next run continues. */
  async run(): Promise<void> {
    const { consent, log } = this.#parts;
    try {
      await consent.sweep();
    } catch (error) {
      log.error('consent.sweep-failed', { error: wordsOf(error) });
    }
  }
}
