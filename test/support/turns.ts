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
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  for (let turn = 0; turn < turns && !isOver; turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
  if (!isOver) throw new Error(`it still waits after ${turns} turns of the event loop`);
  return over;
}
