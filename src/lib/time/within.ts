/** What the promise gives within `millis`, else undefined; the work itself goes on. Rejects as it does. */
export async function within<T>(millis: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    resolve(undefined);
  }, millis);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    // Nobody may be left to hear of a later failure.
    work.catch(() => undefined);
  }
}
