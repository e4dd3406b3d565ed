/**
 * When a refresh token is presented, and how long its answer is waited for: all times of the token protocol
 * that depend on how often a token was presented and how much of its grace is left. They scale with the
 * profile.
 */
import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import { faultOf } from '../../lib/store-fault.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Log } from '../../lib/log/log.ts';
import type { GrantRepository, Lease, LeaseTime, LivingGrant, TokenPair } from '../grant.ts';

/** A usable access token: its generation is durable. */
export interface HeldToken {
  readonly token: Secret;
  readonly generation: number;
  /** Until then it is handed out without a further check, in milliseconds since the epoch. */
  readonly freshUntil: number;
  /** Until then it is handed out while its refresh is in progress or unanswered. */
  readonly usableUntil: number;
}

/** As a share of the time before the expiry: this close to its end a token is no longer handed out. */
const LAST_STRETCH = 0.1;

/**
 * A token is refreshed `refreshAhead` before its end, but never before half of its life: otherwise every call
 * would refresh a short-lived one.
 */
export function heldOf(pair: TokenPair, since: number, profile: Profile): HeldToken {
  const life = Math.max(0, pair.accessExpiresAt - since);
  const ahead = Math.min(profile.durations.refreshAhead * SECOND, life / 2);
  return {
    token: pair.accessToken,
    generation: pair.generation,
    freshUntil: pair.accessExpiresAt - ahead,
    usableUntil: pair.accessExpiresAt - ahead * LAST_STRETCH,
  };
}

/** The specification's grace, used to scale the waits if a profile has none. */
const USUAL_GRACE = 1_800 * SECOND;
/** A row whose tokens this process cannot open is left alone this long. */
export const UNREADABLE_PAUSE = 60 * SECOND;

/** The grace or, without one, the usual value: the scale for waits and limits. */
export const longestGrace = (profile: Profile): number => profile.durations.grace * SECOND || USUAL_GRACE;
const longestBackoff = (profile: Profile): number => longestGrace(profile) / 30;

/**
 * The longest `Retry-After` that is respected: a longer one could outlast the grace of a presented token, or
 * the time left to confirm one.
 */
export const longestRetryAfter = (profile: Profile): number => longestGrace(profile) / 15;

/** However little of the grace is left, it is enough for this many waits. */
const ATTEMPTS_LEFT = 20;

/** No presentation is ever postponed for longer, in milliseconds. */
export const longestPause = (profile: Profile): number =>
  Math.max(longestBackoff(profile) + longestRetryAfter(profile), UNREADABLE_PAUSE);

/**
 * Whether the next presentation may be made. A time further ahead than any pause was set by a clock that has
 * been set back since (a machine that starts with the wrong time): waiting for it could outlast the grace.
 */
export const isDue = (nextAt: number, now: number, profile: Profile): boolean =>
  nextAt <= now || nextAt > now + longestPause(profile);

/**
 * How long to wait before the next presentation of the same refresh token, in milliseconds. Doubling with
 * equal jitter: half of the wait is fixed, because full jitter makes presentations bunch at zero. The first
 * wait is short (a waiting call may still be saved), the longest a thirtieth of the grace, so that many fit
 * into it. Both scale with the profile, like every duration of the token protocol. `left`: the remaining
 * grace in milliseconds; the less, the shorter the waits.
 */
export function backoff(
  presentations: number,
  profile: Profile,
  random: () => number,
  left = Infinity,
): number {
  const first = longestGrace(profile) / 3_600;
  const longest = Math.min(longestBackoff(profile), left > 0 ? left / ATTEMPTS_LEFT : Infinity);
  const full = Math.min(longest, first * 2 ** Math.min(30, Math.max(0, presentations - 1)));
  return Math.ceil(full / 2 + (full / 2) * random());
}

/**
 * What is known about a presentation: its ordinal number for the token, and whether a predecessor could still
 * help.
 */
export interface Presented {
  readonly presentations: number;
  readonly predecessor?: unknown;
}

/** What the next presentation of a grant's refresh token will be. */
export const nextPresentation = (grant: LivingGrant): Presented => ({
  presentations: grant.state === 'unresolved' ? grant.presentations + 1 : 1,
  predecessor: grant.predecessor,
});

/** As a share of the time-out: how long a presentation waits for its answer after one that got none. */
const SHORTER = 1 / 6;
/**
 * Every this many presentations the whole time-out again: a server that is slow for everybody must still be
 * heard.
 */
const WHOLE_EVERY = 6;

const partOf = ({ presentations, predecessor }: Presented): number => {
  const nth = presentations - 1 + (predecessor === undefined ? 0 : 1);
  return nth % WHOLE_EVERY === 0 ? 1 : SHORTER;
};

/**
 * How long to wait for the answer to a presentation, in milliseconds. The first, which is usually answered,
 * has the whole time-out. Later ones have less: what got no answer is seldom answered late, and every second
 * of waiting is taken from the grace. A confirmation has less, too: while it is in progress, the predecessor's
 * grace is running.
 */
export const answerTime = (presented: Presented, { durations }: Profile): number =>
  Math.ceil(durations.refreshTimeout * SECOND * partOf(presented));

/**
 * How long a presentation holds its grant unless it extends the lease, in milliseconds. It is shorter in
 * proportion to the wait for its answer: what a dead instance had begun is blocked for this long, and the
 * grace keeps running. The longest may seem a minute longer: a statement of PostgreSQL that waits for the row
 * reads the clock before it waits.
 */
export const leaseTime = (presented: Presented, profile: Profile): LeaseTime => ({
  leaseMs: Math.ceil(profile.durations.lease * SECOND * partOf(presented)),
  longestLease: Math.ceil(profile.durations.lease * SECOND) + MINUTE,
});

/**
 * Extends a lease while a call to the authorisation server is in progress, three times within each of its lengths. A
 * lease that cannot be extended is not an error here: every write names the fence, and the store refuses it.
 */
export function keepExtending(
  repository: GrantRepository,
  lease: Lease,
  leaseMs: number,
  log: Log,
): NodeJS.Timeout {
  const failed = (error: unknown): void => {
    log.warn('refresh.lease-not-renewed', { grant: lease.grantId, error: faultOf(error) });
  };
  const extend = (): void => void repository.renew(lease, leaseMs).catch(failed);
  return setInterval(extend, Math.max(1, leaseMs / 3)).unref();
}

/** When a successor is confirmed, as shares of the grace. */
export interface ConfirmationRules {
  /** Not before this, counted from the first presentation of its predecessor. */
  readonly first: number;
  /**
   * Nor before this, counted from the arrival of the successor: earlier presentations may be processed late.
   */
  readonly step: number;
  /** But never later than this, counted like `first`: there must be time left for the predecessor. */
  readonly last: number;
}

/** Chosen by simulation: docs/decisions/tokens/0010-early-confirmation.md. */
export const confirmationRules: ConfirmationRules = { first: 8 / 30, step: 5 / 30, last: 28 / 30 };
/** The share of the grace that is relied on: the service's clock may differ from ours. */
const USABLE = 0.95;

const graceOf = (profile: Profile): number => profile.durations.grace * SECOND;

/** The last time at which a token first presented at `since` is presented once more. */
export const lastPresentation = (since: number, profile: Profile): number =>
  since + graceOf(profile) * USABLE;

/** Whether a token first presented at `since` may still be presented once more. */
export const isWithinGrace = (since: number, now: number, profile: Profile): boolean =>
  now < lastPresentation(since, profile);

/**
 * When the successor of a refresh token has to be confirmed by an early refresh, in milliseconds since the
 * epoch; undefined if there is no need, or nothing that could help it any more.
 *
 * A token that was presented once and answered has one successor. After a second presentation the service may
 * process the first one late and invalidate the successor we hold. We would notice when its access token
 * expires, just when its predecessor stops working too. After the last usable moment of the grace no
 * confirmation is due: it could not be acted upon, and the longer a late presentation has to arrive before
 * the successor is used, the better.
 *
 * A refused confirmation leads back to the predecessor, whose next answer has to be confirmed, too: the
 * sooner the first, the more of them fit; the later, the longer a late presentation may take.
 */
export function confirmAtOf(
  presented: { readonly since: number; readonly presentations: number },
  now: number,
  profile: Profile,
  rules: ConfirmationRules = confirmationRules,
): number | undefined {
  const { since, presentations } = presented;
  if (presentations <= 1 || !isWithinGrace(since, now, profile)) return undefined;
  const grace = graceOf(profile);
  const desired = Math.max(since + grace * rules.first, now + grace * rules.step);
  return Math.max(now, Math.min(desired, since + grace * rules.last));
}

/** What is known about a token whose presentation got no answer. */
export interface Unanswered extends Presented {
  readonly since: number;
  readonly predecessor?: { readonly since: number } | undefined;
}

/**
 * How long the next presentation is delayed, in milliseconds: at least as long as the server asked for, plus a random
 * part so that not all come at once. The grace that applies is the predecessor's if there is one.
 */
export function pauseAfter(
  { since, presentations, predecessor }: Unanswered,
  retryAfter: number,
  {
    now,
    profile,
    random,
  }: { readonly now: number; readonly profile: Profile; readonly random: () => number },
): number {
  const left = lastPresentation(predecessor?.since ?? since, profile) - now;
  return Math.min(retryAfter, longestRetryAfter(profile)) + backoff(presentations, profile, random, left);
}
