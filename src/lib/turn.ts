import { setImmediate } from 'node:timers/promises';

/**
 * Characters or bytes that are worked on before everybody else has a turn of the event loop: about a millisecond of the
 * slowest reader. A document may have 32 MiB, and worked on at once it would hold up every other caller for a second.
 */
export const STEP = 65_536;

/** Lets everybody else have a turn. */
export const nextTurn = (): Promise<void> => setImmediate();
