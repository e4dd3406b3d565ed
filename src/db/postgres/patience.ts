import { SECOND } from '../../lib/time/clock.ts';

/** How long the database may take to answer, in milliseconds. */
export interface Patience {
  /** Before a probe is sent. */
  readonly answer: number;
  /** Until the probe is answered; after that the database counts as away. */
  readonly probe: number;
  /** While all connections have waited for this long, others fail at once. Undefined: as long as a statement may take. */
  readonly jam?: number;
}

/**
 * For calls with a waiting caller: the sum is less than the two seconds within which the caller must have an
 * answer.
 */
export const promptPatience: Patience = { answer: SECOND, probe: 0.8 * SECOND, jam: 3 * SECOND };

/** For work that no caller waits for. */
export const patient: Patience = { answer: 10 * SECOND, probe: 10 * SECOND };
