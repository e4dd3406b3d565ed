/**
 * The promise's value within `millis`, otherwise undefined; the work itself continues. Rejects if the promise
 * does.
 */
export async function within<T>(millis: number, work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => {
    resolve(undefined);
  }, millis);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    // A later failure may find no handler left.
    work.catch(() => undefined);
  }
}
