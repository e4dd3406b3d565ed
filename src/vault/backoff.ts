import { SECOND } from '../domain/clock.ts';
import type { Profile } from '../domain/profile.ts';

/** Grace of the specification, by which the waits are measured where a profile has none. */
const USUAL_GRACE = 1_800 * SECOND;

/**
 * How long to wait before the next presentation of the same refresh token, in milliseconds. Doubling with equal
 * jitter: half of the wait is certain, since full jitter makes presentations bunch at zero. The first is small (a
 * waiting call may still be saved), the longest a thirtieth of the grace, so that many fit into it. Both scale with
 * the profile, as every duration of the token protocol does.
 */
export function backoff(presentations: number, profile: Profile, random: () => number): number {
  const grace = profile.durations.grace * SECOND || USUAL_GRACE;
  const first = grace / 3_600;
  const longest = grace / 30;
  const full = Math.min(longest, first * 2 ** Math.min(30, Math.max(0, presentations - 1)));
  return Math.ceil(full / 2 + (full / 2) * random());
}
