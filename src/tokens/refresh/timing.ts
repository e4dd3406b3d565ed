/**
 * When a refresh token is presented, and for how long its answer is waited for: all times of the token protocol that
 * follow from how often a token was presented and how much of its grace is left. They scale with the profile.
 */
import { SECOND } from '../../lib/time/clock.ts';
import type { Profile } from '../../upstream/profile.ts';

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
export const longestRetryAfter = (profile: Profile): number => longestGrace(profile) / 15;

/** However little of the grace is left, it is enough for so many waits. */
const ATTEMPTS_LEFT = 20;

/** No presentation is ever put off for longer, in milliseconds. */
export const longestPause = (profile: Profile): number =>
  Math.max(longestBackoff(profile) + longestRetryAfter(profile), UNREADABLE_PAUSE);

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
 * the profile, as every duration of the token protocol does. `left`: how much of the grace is, in milliseconds; the less,
 * the shorter the waits.
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

/** What is known of a presentation: the how manieth of its token it is, and whether a predecessor could still help. */
export interface Presented {
  readonly presentations: number;
  readonly predecessor?: unknown;
}

/** Of the time-out: how long a presentation waits for its answer when the one before it got none. */
const SHORTER = 1 / 6;
/** Every so many presentations the whole time-out again: a server that is slow with everybody must still be heard. */
const WHOLE_EVERY = 6;

const partOf = ({ presentations, predecessor }: Presented): number => {
  const nth = presentations - 1 + (predecessor === undefined ? 0 : 1);
  return nth % WHOLE_EVERY === 0 ? 1 : SHORTER;
};

/**
 * How long the answer to a presentation is waited for, in milliseconds. The first, which is usually answered, has the
 * whole time-out. Those after it have less: what got no answer is seldom answered late, and every second of waiting
 * is taken from the grace. So has a proof: while it is out, the grace of the predecessor runs.
 */
export const answerTime = (presented: Presented, { durations }: Profile): number =>
  Math.ceil(durations.refreshTimeout * SECOND * partOf(presented));

/**
 * How long a presentation holds its grant unless it prolongs the lease, in milliseconds. As much shorter as its answer
 * is waited for: what an instance that died had begun stands still for so long, and the grace runs on.
 */
export const leaseTime = (presented: Presented, { durations }: Profile): number =>
  Math.ceil(durations.lease * SECOND * partOf(presented));

/** When a successor is proved, in parts of the grace. */
export interface ConfirmationRules {
  /** Not before this, counted from the first presentation of its predecessor. */
  readonly first: number;
  /** Nor before this, counted from the arrival of the successor: what was presented before may be carried out late. */
  readonly step: number;
  /** But never later than this, counted as `first`: there must be time left for the predecessor. */
  readonly last: number;
}

/** Chosen by simulation: docs/decisions/0010-early-confirmation.md. */
export const confirmationRules: ConfirmationRules = { first: 8 / 30, step: 5 / 30, last: 28 / 30 };
/** How much of the grace is counted on: the service's clock need not be ours. */
const USABLE = 0.95;

const graceOf = (profile: Profile): number => profile.durations.grace * SECOND;

/** The last moment at which a token first presented at `since` is presented once more. */
export const lastPresentation = (since: number, profile: Profile): number =>
  since + graceOf(profile) * USABLE;

/** Whether a token first presented at `since` may still be presented once more. */
export const isWithinGrace = (since: number, now: number, profile: Profile): boolean =>
  now < lastPresentation(since, profile);

/**
 * When the successor of a refresh token has to be proved by an early refresh, milliseconds since the epoch; undefined
 * where there is no need, or nothing that could help it any more.
 *
 * A token that was presented once and answered has one successor. After a second presentation the service may carry
 * out the first one late and kill the successor we hold; we would notice when its access token runs out, just when its
 * predecessor stops working too. Later than the last usable moment of the grace no proof is due: it could not be acted
 * upon, and the longer a late presentation has to come in before the successor is used, the better.
 *
 * The proof that is refused leads back to the predecessor, whose next answer has to be proved in turn: the sooner the
 * first, the more of them there is time for; the later, the longer a late presentation may take.
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

/** What is known of a token whose presentation got no answer. */
export interface Unanswered extends Presented {
  readonly since: number;
  readonly predecessor?: { readonly since: number } | undefined;
}

/**
 * How long the next presentation is put off, in milliseconds: after what the server asked for, and then not all at the
 * same moment. The grace that runs is the predecessor's where there is one.
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
