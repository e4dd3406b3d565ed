/**
 * When a difference becomes an alarm: when several accounts show it, and show it at about the same time.
 *
 * One account alone proves nothing: its programs may ask otherwise since today, it may have changed its fields, a gateway
 * of its own may alter the answers. What happens by itself in single accounts happens at any time, so only differences that
 * began within three days of one another count together; and the more accounts there are, the more often some differ by
 * themselves, so a tenth of those that could show it have to.
 */
import { DAY } from '../../../lib/time/clock.ts';

/** An account that is shown a change. */
export interface Showing {
  readonly accountId: string;
  readonly since: number;
}

const TOGETHER = 3 * DAY;
/** Of the accounts that could show it. */
const SHARE = 0.1;
/** "Several". */
const SEVERAL = 2;

/**
 * How many accounts it takes, of so many that could show it. `wanted`: `CAUSEWAY_DRIFT_ACCOUNTS`. Where fewer accounts use
 * it, all of them; one account alone is never enough, unless one is what was wanted.
 */
export const neededOf = (wanted: number, users: number): number =>
  Math.max(Math.min(wanted, Math.max(users, SEVERAL)), Math.ceil(users * SHARE));

/** At least so many accounts for it to be looked at, and for an alarm to go on. */
export const fewestOf = (wanted: number): number => Math.min(wanted, SEVERAL);

/** The first moment at which enough accounts began to be shown it together; undefined: never. */
export function raisedSince(showing: readonly Showing[], needed: number): number | undefined {
  const times = showing.map(({ since }) => since).toSorted((a, b) => a - b);
  return times.find((since, index) => (times[index + needed - 1] ?? Infinity) - since <= TOGETHER);
}

/** Before this time an account must have been shown it for it to be nothing new. */
export const knownBefore = (since: number): number => since - TOGETHER;
