/**
 * When a difference becomes an alarm: when several accounts show it, and begin to at about the same time.
 *
 * One account alone proves nothing: its programs may have changed their requests, its fields may have changed, or a
 * gateway of its own may alter the answers. Chance differences of single accounts begin at any time, so only
 * differences that began within three days of one another count together. The more accounts there are, the more often
 * some differ by chance, so a tenth of those that could show the difference have to.
 */
import { DAY } from '../../../lib/time/clock.ts';

/** An account that is shown a change. */
export interface Showing {
  readonly accountId: string;
  readonly since: number;
}

const TOGETHER = 3 * DAY;
/** The share of the accounts that could show it. */
const SHARE = 0.1;
/** "Several". */
const SEVERAL = 2;

/**
 * How many accounts have to show it, if `users` could. `wanted`: `CAUSEWAY_DRIFT_ACCOUNTS`. If fewer accounts use it,
 * all of them have to; a single account never suffices, unless `wanted` is one.
 */
export const neededOf = (wanted: number, users: number): number =>
  Math.max(Math.min(wanted, Math.max(users, SEVERAL)), Math.ceil(users * SHARE));

/** The fewest accounts for a change to be examined, and for an alarm to stay open. */
export const fewestOf = (wanted: number): number => Math.min(wanted, SEVERAL);

/** The first time at which enough accounts began to be shown it together; undefined: never. */
export function raisedSince(showing: readonly Showing[], needed: number): number | undefined {
  const times = showing.map(({ since }) => since).toSorted((a, b) => a - b);
  return times.find((since, index) => (times[index + needed - 1] ?? Infinity) - since <= TOGETHER);
}

/** The time before which an account must have been shown it for it not to be new. */
export const knownBefore = (since: number): number => since - TOGETHER;
