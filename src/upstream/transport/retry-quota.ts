/** What first attempts earn, and how much can be saved up. */
const EARNED = 0.1;
const SAVED = 20;

/**
 * Keeps repetitions at a tenth of the traffic: when everything fails, everybody repeating would double the load on a
 * service that is down already. A short outage is covered by what was saved up.
 */
export class RetryQuota {
  #left = SAVED;

  /** A first attempt. */
  earn(): void {
    this.#left = Math.min(SAVED, this.#left + EARNED);
  }

  /** May a request be repeated now? */
  take(): boolean {
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
