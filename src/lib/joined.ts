/** A round that never runs beside itself: whoever asks while one is under way joins it. */
export function joined(round: (signal?: AbortSignal) => Promise<void>): typeof round {
  let running: Promise<void> | undefined;
  return (signal) => {
    running ??= round(signal).finally(() => {
      running = undefined;
    });
    return running;
  };
}
