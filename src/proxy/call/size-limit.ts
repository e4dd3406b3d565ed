import { MINUTE } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';

/** The limit for bytes without anything usable: twice the text that one record may hold. */
const MOST_BYTES = 32 * 1024 * 1024;
/** The limit for waiting, in milliseconds: a service that sends a byte now and then never runs into a time-out. */
const LONGEST_WAIT = 2 * MINUTE;

/**
 * Limits the cost of an answer before part of it is passed on to the caller. Records are limited individually and a
 * list may be of any length; this limits the bytes that are held, and those between the records.
 */
export class SizeLimit {
  readonly #now: () => number;
  #bytes = 0;
  #waited = 0;

  /** `now`: milliseconds of a clock that only runs forwards. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Restarts the limits after something was passed on to the caller. */
  renew(): void {
    this.#bytes = 0;
    this.#waited = 0;
  }

  /**
   * The body unchanged. Throws `Failure` upstreamAnswer or upstreamTimeout beyond the limits. The time its
   * reader takes does not count.
   */
  async *watch(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let asked = this.#now();
    for await (const chunk of body) {
      this.#waited += this.#now() - asked;
      this.#bytes += chunk.length;
      if (this.#bytes > MOST_BYTES) throw new Failure('upstreamAnswer');
      if (this.#waited > LONGEST_WAIT) throw new Failure('upstreamTimeout');
      yield chunk;
      asked = this.#now();
    }
  }
}
