import { SECOND } from '../../lib/time/clock.ts';

/** How long the database may be silent, in milliseconds. */
export interface Patience {
  /** Before a probe is sent. */
  readonly answer: number;
  /** Until the probe is answered; then the database is away. */
  readonly probe: number;
}

/** Where somebody waits for a call: both together are less than the two seconds after which he is to have his answer. */
export const promptPatience: Patience = { answer: SECOND, probe: 0.8 * SECOND };

/** Where nobody does. */
export const patient: Patience = { answer: 10 * SECOND, probe: 10 * SECOND };
