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
