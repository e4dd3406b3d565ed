/** Waits, using the global timer, which a simulation can replace. */
export const pause = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis);
  });
