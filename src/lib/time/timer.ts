/** Calls back after that many milliseconds; the returned function cancels it. */
export type Timer = (millis: number, callback: () => void) => () => void;

/** Does not keep the process alive: without a waiting call, the timer has no purpose. */
export const systemTimer: Timer = (millis, callback) => {
  const timer = setTimeout(callback, millis);
  timer.unref();
  return () => {
    clearTimeout(timer);
  };
};
