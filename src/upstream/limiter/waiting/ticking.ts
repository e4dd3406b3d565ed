/** Where the time comes from that is never set, and who rings. */
export interface Ticking {
  monotonic(): number;
  /** Calls back after that many milliseconds; the answer takes it back. */
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
