import { setImmediate } from 'node:timers/promises';

/**
 * Characters or bytes processed before other calls get a turn of the event loop: about a millisecond of the slowest
 * reader. A document may have 32 MiB; processed at once it would block all other calls for a second.
 */
export const STEP = 65_536;

/** Gives other calls a turn. */
export const nextTurn = (): Promise<void> => setImmediate();

/** Copying, or searching for a few bytes, is quick, allocating memory is not: less than a millisecond. */
export const QUICK_STEP = 4 * STEP;

/** `Buffer.concat`, with a turn for other calls after each `QUICK_STEP`. */
export async function concatInSteps(pieces: readonly Buffer[]): Promise<Buffer> {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  if (size <= QUICK_STEP) return Buffer.concat(pieces, size);
  const whole = Buffer.allocUnsafe(size);
  let [at, copied] = [0, 0];
  for (const piece of pieces)
    for (let from = 0; from < piece.length;) {
      const count = piece.copy(whole, at, from, from + QUICK_STEP - copied);
      [at, from, copied] = [at + count, from + count, copied + count];
      if (copied < QUICK_STEP) continue;
      copied = 0;
      await nextTurn();
    }
  return whole;
}
