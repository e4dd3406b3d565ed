import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { SECOND } from '../../../lib/time/clock.ts';
import { ClaimedJob, type Work } from './claimed-job.ts';
import type { Services } from '../services.ts';
import type { Periodic } from './periodic-jobs.ts';

/** How often an instance checks whether a job is due and free; after a kill it starts this much later. */
const BETWEEN_CLAIMS = 15 * SECOND;

/**
 * Lets one of the instances that share the database run a job; `pause` counts from the end of its last run.
 */
export function claims({ store, log }: Services): (job: string, pause: number, work: Work) => Periodic {
  const holder = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  return (job, pause, work) => {
    const claimed = new ClaimedJob({ repository: store.jobs, job, holder, pause, log }, work);
    return { pause: Math.min(pause, BETWEEN_CLAIMS), run: (signal) => claimed.run(signal) };
  };
}
