/** A job that never runs in parallel with itself: a call while one is in progress joins it. */
export function joined(job: (signal?: AbortSignal) => Promise<void>): typeof job {
  let running: Promise<void> | undefined;
  return (signal) => {
    running ??= job(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
}
