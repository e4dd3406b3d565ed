import { SECOND } from '../domain/clock.ts';
import type { Profile } from '../domain/profile.ts';

/** Grace of the specification, by which the waits are measured where a profile has none. */
const USUAL_GRACE = 1_800 * SECOND;
/** A row whose tokens this process cannot open is left alone this long. */
export const UNREADABLE_PAUSE = 60 * SECOND;

/** The grace, or where there is none the usual one: what waits and bounds are measured by. */
export const longestGrace = (profile: Profile): number => profile.durations.grace * SECOND || USUAL_GRACE;
const longestBackoff = (profile: Profile): number => longestGrace(profile) / 30;

/**
 * The most a server's `Retry-After` is heeded: a longer one could outlast the grace of a token that is out, or the time
 * left to prove one.
 */
export const longestWish = (profile: Profile): number => longestGrace(profile) / 15;

/** No presentation is ever put off for longer, in milliseconds. */
export const longestPause = (profile: Profile): number =>
  Math.max(longestBackoff(profile) + longestWish(profile), UNREADABLE_PAUSE);

/**
 * Whether the next presentation may go out. One that lies further ahead than any pause was set by a clock that has
 * been put back since (a machine that starts with the wrong time): waiting for it could outlast the grace.
 */
export const isDue = (nextAt: number, now: number, profile: Profile): boolean =>
  nextAt <= now || nextAt > now + longestPause(profile);

/**
 * How long to wait before the next presentation of the same refresh token, in milliseconds. Doubling with equal
 * jitter: half of the wait is certain, since full jitter makes presentations bunch at zero. The first is small (a
 * waiting call may still be saved), the longest a thirtieth of the grace, so that many fit into it. Both scale with
 * the profile, as every duration of the token protocol does.
 */
export function backoff(presentations: number, profile: Profile, random: () => number): number {
  const first = longestGrace(profile) / 3_600;
  const full = Math.min(longestBackoff(profile), first * 2 ** Math.min(30, Math.max(0, presentations - 1)));
  return Math.ceil(full / 2 + (full / 2) * random());
}
