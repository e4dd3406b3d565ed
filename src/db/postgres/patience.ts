import { SECOND } from '../../lib/time/clock.ts';

/** How long the database may be silent, in milliseconds. */
export interface Patience {
  /** Before a probe is sent. */
  readonly answer: number;
  /** Until the probe is answered; after that the database counts as away. */
  readonly probe: number;
}

/**
 * For calls that somebody waits for: together less than the two seconds after which the caller must have an
 * answer.
 */
export const promptPatience: Patience = { answer: SECOND, probe: 0.8 * SECOND };

/** For work that nobody waits for. */
export const patient: Patience = { answer: 10 * SECOND, probe: 10 * SECOND };
