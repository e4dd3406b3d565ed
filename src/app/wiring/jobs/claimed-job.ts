import { MINUTE, SECOND } from '../../../lib/time/clock.ts';
import type { JobRepository, JobClaim, JobTerms } from '../../../db/jobs/job.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';

/** Work that one instance does for all. */
export interface Work {
  run(signal: AbortSignal): Promise<void>;
}

/** A job that one instance does for all, and how long its claim lasts. */
export interface ClaimedJobParts {
  readonly repository: JobRepository;
  readonly job: string;
  /** The name of this instance in its claims. */
  readonly holder: string;
  readonly pause: number;
  readonly lease?: number;
  readonly log: Log;
}

/** How often an instance checks whether a job is due and free; after a kill it starts this much later. */
export const BETWEEN_CLAIMS = 15 * SECOND;
/** How long a job waits for an instance that was killed, in milliseconds. */
const LEASE = MINUTE;

/**
 * A periodic job that one instance does for all, because reading the service for every account takes calls from every
 * account's limit. The claim stays with its instance from run to run and is renewed during a run. It is checked more
 * often than a run is due, so that the claim of a killed instance passes on.
 */
export class ClaimedJob {
  readonly #parts: ClaimedJobParts;
  readonly #terms: JobTerms;
  readonly #work: Work;

  constructor(parts: ClaimedJobParts, work: Work) {
    this.#parts = parts;
    this.#terms = { lease: parts.lease ?? LEASE, pause: parts.pause };
    this.#work = work;
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { repository, job, holder, log } = this.#parts;
    try {
      const claim = await repository.claim(job, holder, this.#terms);
      if (claim?.due === true) await this.#held(claim, signal);
    } catch (error) {
      log.warn('job.not-claimed', { job, error: wordsOf(error) });
    }
  }

  /**
   * The job is due whenever the claim is checked, so the end of a run need not be stored, which would wait for the
   * disk.
   */
  get #isBrief(): boolean {
    return this.#terms.pause <= BETWEEN_CLAIMS;
  }

  async #held(claim: JobClaim, signal: AbortSignal): Promise<void> {
    const { repository } = this.#parts;
    const keeper = new Keeper(claim, this.#terms, repository);
    try {
      await this.#work.run(AbortSignal.any([signal, keeper.lost]));
    } finally {
      keeper.stop();
      // A run that was cut off is due at once, for the next instance.
      if (signal.aborted) await repository.release(claim);
      else if (!keeper.lost.aborted && !this.#isBrief) await repository.done(claim, this.#terms);
    }
  }
}

/** Renews a claim during its run, and ends the run if renewing fails for the whole duration of the claim. */
class Keeper {
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #misses = 0;

  constructor(claim: JobClaim, terms: JobTerms, repository: JobRepository) {
    const renew = async (): Promise<void> => {
      const kept = await repository.renew(claim, terms).catch(() => undefined);
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
