/**
 * Resolves when everything that an event has set off by promises has run: Node runs a tick only when no promise is left to
 * run, and it costs less than a turn of the event loop.
 */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });
