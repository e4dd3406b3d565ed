/** A clock that is never set, and its timer. */
export interface Ticking {
  monotonic(): number;
  /** Calls back after that many milliseconds; the returned function cancels it. */
  timer(millis: number, callback: () => void): () => void;
}

export const systemTicking: Ticking = {
  monotonic: () => performance.now(),
  timer(millis, callback) {
    const timer = setTimeout(callback, millis);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
