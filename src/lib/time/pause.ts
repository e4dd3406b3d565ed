import type { Clock } from './clock.ts';

/** Waits, using the global timer, which a simulation can replace. */
export const pause = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis);
  });

/** In milliseconds: after this much work the lock of the file is left alone for `PAUSE`. */
const WORK = 100;
/** In milliseconds: twice as long as a waiting writer takes at most to look again (`db/sqlite/sqlite-driver.ts`). */
const PAUSE = 40;

/** The source of time, and what waits that long, in milliseconds. */
export interface WritePausesParts {
  readonly clock: Clock;
  readonly pause: (millis: number) => Promise<void>;
}

/**
 * Called between the transactions of bulk work on a SQLite file that other processes write to. A writer that finds the
 * file locked looks again only now and then, and transactions that follow each other directly leave it no moment.
 */
export function writePauses({ clock, pause }: WritePausesParts): () => Promise<void> {
  let since = clock.now();
  return async () => {
    if (clock.now() - since < WORK) return;
    await pause(PAUSE);
    since = clock.now();
  };
}
