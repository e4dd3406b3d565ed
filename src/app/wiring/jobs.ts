import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { SECOND } from '../../lib/clock.ts';
import { ClaimedRound, type Round } from './claimed-job.ts';
import type { House } from './house.ts';
import type { Periodic } from './rounds.ts';

/** How often an instance asks whether a job is due, and free: so much later than usual it begins after a kill. */
const BETWEEN_CLAIMS = 15 * SECOND;

/** Gives a round to one instance of all that share the database; `pause` counts from the end of its last, wherever it was. */
export function claims({ store, log }: House): (job: string, pause: number, round: Round) => Periodic {
  const holder = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  return (job, pause, round) => {
    const claimed = new ClaimedRound({ book: store.jobs, job, holder, pause, log }, round);
    return { pause: Math.min(pause, BETWEEN_CLAIMS), run: (signal) => claimed.run(signal) };
  };
}
