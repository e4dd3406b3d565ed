import { SECOND } from '../../lib/time/clock.ts';
import type { Predecessor, LatePair } from '../grant.ts';
import type { Profile } from '../../upstream/profile.ts';

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

/** What can still be done for a grant whose present refresh token was refused, in this order. */
export type Fallback =
  | { readonly fallback: 'spare'; readonly latePair: LatePair; readonly predecessor: 'kept' | 'dropped' }
  | { readonly fallback: 'predecessor' }
  | { readonly fallback: 'none' };

/** A refresh token that the service has refused, and what could still help its grant. */
export interface Refused {
  /** The youngest first. */
  readonly latePairs: readonly LatePair[];
  /** Keyed hashes of the refused token; the spares name their parents so. */
  readonly token: readonly string[];
  readonly predecessor: (Pick<Predecessor, 'since'> & { readonly token: readonly string[] }) | undefined;
}

/**
 * The next step of the fallback chain. Callers ask after a refusal only: after the acceptance of the present token, or
 * its silence, presenting the predecessor would be reuse and would revoke everything.
 */
export function nextFallback(
  { latePairs, token, predecessor }: Refused,
  now: number,
  profile: Profile,
): Fallback {
  // Its arrival shows that the refused token had been accepted before: the predecessor must not be shown again.
  const child = latePairs.find(({ parent }) => token.includes(parent));
  if (child !== undefined) return { fallback: 'spare', latePair: child, predecessor: 'dropped' };
  const sibling = latePairs.find(({ parent }) => predecessor?.token.includes(parent) === true);
  if (sibling !== undefined) return { fallback: 'spare', latePair: sibling, predecessor: 'kept' };
  if (predecessor !== undefined && isWithinGrace(predecessor.since, now, profile))
    return { fallback: 'predecessor' };
  return { fallback: 'none' };
}
