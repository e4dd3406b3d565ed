import type { PermitClaim } from '../permit-pool.ts';
import { WINDOW } from '../permits.ts';
import { nextTurn } from '../waiting/pacing.ts';

/** Permits taken ahead, as a share of the limit, and never more: each is listed, and a profile may set any limit. */
const AHEAD = 1 / 12;
const MOST_AHEAD = 100;
/** Times that are listed of what is given: enough for the pace of a limit in use. */
const MOST_LISTED = 1_000;

/** How many permits a worker may have ahead. */
export const aheadOf = (limit: number): number => Math.min(MOST_AHEAD, Math.floor(limit * AHEAD));

/** One answer of the broker in the making. */
export class Granting {
  granted = 0;
  last: number;
  readonly #claim: PermitClaim;
  readonly #releases: number[];
  readonly #now: number;
  readonly #used: number;
  /** As many as are recorded. */
  readonly #most: number;

  constructor(
    claim: PermitClaim,
    releases: readonly number[],
    { now, last, most }: { readonly now: number; readonly last: number; readonly most: number },
  ) {
    this.#claim = claim;
    this.#releases = releases.toSorted((a, b) => a - b);
    this.#used = releases.length;
    this.#now = now;
    this.last = last;
    this.#most = most;
  }

  get free(): number {
    return this.#claim.limit - this.#used - this.granted;
  }

  get next(): number {
    const { burst } = this.#claim;
    return nextTurn({
      ...{ now: this.#now, last: this.last, window: WINDOW, free: this.free, burst },
      releases: this.#releases,
    });
  }

  /** `waiting`: since when each request waits; `others`: the same of the other workers. */
  serve(waiting: readonly number[], others: readonly number[]): void {
    for (const since of waiting) {
      const older = others.filter((other) => other < since).length;
      if (older + 1 > Math.min(this.#going, this.free, this.#most - this.granted)) return;
      this.#give(1);
      this.last = this.#now;
    }
    const { limit, unused, isBusy } = this.#claim;
    const ahead = Math.min(aheadOf(limit) - unused, Math.floor(this.#ofBurst / 2));
    if ((waiting.length > 0 || isBusy) && others.length === 0)
      this.#give(Math.max(0, Math.min(ahead, this.#most - this.granted)));
  }

  get #ofBurst(): number {
    return this.#claim.burst - this.#used - this.granted;
  }

  get #going(): number {
    return Math.max(this.#ofBurst, this.next <= this.#now ? 1 : 0);
  }

  #give(count: number): void {
    this.granted += count;
    this.#releases.push(...new Array<number>(Math.min(count, MOST_LISTED)).fill(this.#now + WINDOW));
  }
}
