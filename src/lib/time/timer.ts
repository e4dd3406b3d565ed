/** Calls back after that many milliseconds; the returned function cancels it. */
export type Timer = (millis: number, callback: () => void) => () => void;

/** Keeps no process alive: without a call that waits for it, the timer has no purpose. */
export const systemTimer: Timer = (millis, callback) => {
  const timer = setTimeout(callback, millis);
  timer.unref();
  return () => {
    clearTimeout(timer);
  };
};
