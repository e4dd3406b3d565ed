import { MINUTE } from '../../lib/clock.ts';
import type { JobBook, JobClaim, JobTerms } from '../../db/job.ts';
import { wordsOf, type Log } from '../../lib/log.ts';

/** What one instance does for all. */
export interface Round {
  run(signal?: AbortSignal): Promise<void>;
  /** Told before the first round after another instance had the job: it may have left something half done. */
  taken?(): void;
}

export interface ClaimedRoundParts {
  readonly book: JobBook;
  readonly job: string;
  /** This instance, as its claims name it. */
  readonly holder: string;
  readonly pause: number;
  readonly lease?: number;
  readonly log: Log;
}

/** How long a job waits for an instance that was killed, in milliseconds. */
const LEASE = MINUTE;

/**
 * A periodic job that one instance does for all: who reads the service for every account takes calls from everybody's
 * minute. The claim stays with its instance from round to round, and is renewed while a round runs. Asked more often than
 * a round is due, so that the claim of an instance that was killed passes on.
 */
export class ClaimedRound {
  readonly #parts: ClaimedRoundParts;
  readonly #terms: JobTerms;
  readonly #round: Round;
  #fence: number | undefined;

  constructor(parts: ClaimedRoundParts, round: Round) {
    this.#parts = parts;
    this.#terms = { lease: parts.lease ?? LEASE, pause: parts.pause };
    this.#round = round;
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { book, job, holder, log } = this.#parts;
    try {
      const claim = await book.claim(job, holder, this.#terms);
      if (claim?.due === true) await this.#held(claim, signal);
    } catch (error) {
      log.warn('job.not-claimed', { job, error: wordsOf(error) });
    }
  }

  async #held(claim: JobClaim, signal: AbortSignal): Promise<void> {
    const { book } = this.#parts;
    if (this.#fence !== claim.fence) this.#round.taken?.();
    this.#fence = claim.fence;
    const keeper = new Keeper(claim, this.#terms, book);
    try {
      await this.#round.run(AbortSignal.any([signal, keeper.lost]));
    } finally {
      keeper.stop();
      // One that was cut off is due at once, for whoever comes next.
      if (signal.aborted) await book.release(claim);
      else if (!keeper.lost.aborted) await book.done(claim, this.#terms);
    }
  }
}

/** Renews a claim while its round runs, and ends the round where that fails for as long as the claim lasts. */
class Keeper {
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #misses = 0;

  constructor(claim: JobClaim, terms: JobTerms, book: JobBook) {
    const renew = async (): Promise<void> => {
      const kept = await book.renew(claim, terms).catch(() => undefined);
      this.#misses = kept === undefined ? this.#misses + 1 : 0;
      if (kept === false || this.#misses >= TRIES) this.#lost.abort();
    };
    this.#timer = setInterval(() => void renew(), terms.lease / (TRIES + 1)).unref();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Renewals within one lease. */
const TRIES = 3;
