import { setImmediate } from 'node:timers/promises';

/**
 * Characters or bytes that are worked on before everybody else has a turn of the event loop: about a millisecond of the
 * slowest reader. A document may have 32 MiB, and worked on at once it would hold up every other caller for a second.
 */
export const STEP = 65_536;

/** Lets everybody else have a turn. */
export const nextTurn = (): Promise<void> => setImmediate();

/** Copying and searching for a few bytes are quick, new memory is not: less than a millisecond. */
export const QUICK_STEP = 4 * STEP;

/** `Buffer.concat`, with a turn for everybody else after each `QUICK_STEP`. */
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
