import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { BETWEEN_CLAIMS, ClaimedJob, type Work } from './claimed-job.ts';
import type { Services } from '../services.ts';
import type { Periodic } from './periodic-jobs.ts';

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
