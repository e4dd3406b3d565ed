import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { BETWEEN_CLAIMS, ClaimedJob, type Work } from './claimed-job.ts';
import type { JobRepository } from '../../../db/jobs/job.ts';
import type { Services } from '../services.ts';
import type { Periodic } from './periodic-jobs.ts';

/** What claims are made with. */
interface ClaimsParts extends Pick<Services, 'log'> {
  readonly store: { readonly jobs: JobRepository };
}

/**
 * Lets one of the instances that share the database run a job; `pause` counts from the end of its last run.
 */
export function claims({ store, log }: ClaimsParts): (job: string, pause: number, work: Work) => Periodic {
  const holder = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const repository = inTurn(store.jobs);
  return (job, pause, work) => {
    const claimed = new ClaimedJob({ repository, job, holder, pause, log }, work);
    return { pause: Math.min(pause, BETWEEN_CLAIMS), run: (signal) => claimed.run(signal) };
  };
}

/** Makes one claim at a time: while the table is locked, each that waits keeps a connection from the calls. */
function inTurn(jobs: JobRepository): JobRepository {
  let last: Promise<unknown> = Promise.resolve();
  return {
    claim(...terms) {
      const made = last.then(() => jobs.claim(...terms));
      last = made.catch(() => undefined);
      return made;
    },
    renew: (...terms) => jobs.renew(...terms),
    done: (...terms) => jobs.done(...terms),
    release: (claim) => jobs.release(claim),
  };
}
