/** A job that never runs beside itself: asking while one is under way joins it. */
export function joined(job: (signal?: AbortSignal) => Promise<void>): typeof job {
  let running: Promise<void> | undefined;
  return (signal) => {
    running ??= job(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
}
