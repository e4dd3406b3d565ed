/**
 * Resolves when everything that an event has started through promises has run: Node runs a tick only when no promise
 * callback is pending, and it costs less than a turn of the event loop.
 */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });
