import { nextTurn } from '../../src/lib/time/turn.ts';

/** What `work` gives, and how many turns of the event loop everybody else had meanwhile. */
export async function turnsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let handle = setImmediate(count);
  function count(): void {
    turns += 1;
    handle = setImmediate(count);
  }
  try {
    return { value: await work(), turns };
  } finally {
    clearImmediate(handle);
  }
}

/**
 * What `promise` comes to within so many turns of the event loop, where nothing it waits for comes from outside of the
 * test. Throws where it still waits: a test that hangs says nothing of what is wrong.
 */
export async function soon<T>(promise: Promise<T>, turns = 1_000): Promise<T> {
  const waits = Symbol('waits');
  const inTime = async (): Promise<typeof waits> => {
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    return waits;
  };
  const first = await Promise.race([promise, inTime()]);
  if (first === waits) throw new Error(`it still waits after ${turns} turns of the event loop`);
  return first;
}
