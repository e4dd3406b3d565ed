/** Calls back after that many milliseconds; the answer takes it back. */
export type Timer = (millis: number, callback: () => void) => () => void;

/** Keeps no process alive: what waits here is worth nothing without a call that waits for it. */
export const systemTimer: Timer = (millis, callback) => {
  const timer = setTimeout(callback, millis);
  timer.unref();
  return () => {
    clearTimeout(timer);
  };
};
