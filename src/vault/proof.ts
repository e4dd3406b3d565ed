import { SECOND } from '../domain/clock.ts';
import type { Predecessor, Spare } from '../domain/grant.ts';
import type { Profile } from '../domain/profile.ts';

/** Of the grace: when the successor of a token that had to be presented twice is proved, counted from its arrival. */
const PROOF = 1 / 4;
/** And never later than this, counted from the first presentation: there must be time left for the predecessor. */
const LATEST_PROOF = 25 / 30;
/** How much of the grace is counted on: the service's clock need not be ours. */
const USABLE = 0.95;

const graceOf = (profile: Profile): number => profile.durations.grace * SECOND;

/** Whether a token first presented at `since` may still be presented once more. */
export const isWithinGrace = (since: number, now: number, profile: Profile): boolean =>
  now - since < graceOf(profile) * USABLE;

/**
 * When the successor of a refresh token has to be proved by an early refresh, milliseconds since the epoch; undefined
 * where there is no need, or nothing that could help it any more.
 *
 * A token that was presented once and answered has one successor. After a second presentation the service may carry
 * out the first one late and kill the successor we hold; we would notice when its access token runs out, just when its
 * predecessor stops working too. Later than the last usable moment of the grace no proof is due: it could not be acted
 * upon, and the longer a late presentation has to come in before the successor is used, the better.
 */
export function confirmAtOf(
  presented: { readonly since: number; readonly presentations: number },
  now: number,
  profile: Profile,
): number | undefined {
  const { since, presentations } = presented;
  if (presentations <= 1 || !isWithinGrace(since, now, profile)) return undefined;
  const grace = graceOf(profile);
  return Math.max(now, Math.min(now + grace * PROOF, since + grace * LATEST_PROOF));
}

/** What can still be done for a grant whose present refresh token was refused, in this order. */
export type Rung =
  | { readonly rung: 'spare'; readonly spare: Spare; readonly predecessor: 'kept' | 'dropped' }
  | { readonly rung: 'predecessor' }
  | { readonly rung: 'none' };

export interface Refused {
  /** The youngest first. */
  readonly spares: readonly Spare[];
  /** Keyed hashes of the refused token; the spares name their parents so. */
  readonly token: readonly string[];
  readonly predecessor: (Pick<Predecessor, 'since'> & { readonly token: readonly string[] }) | undefined;
}

/**
 * The ladder. That it is climbed after a refusal only is the caller's: after the acceptance of the present token, or
 * its silence, presenting the predecessor would be reuse and would revoke everything.
 */
export function nextRung({ spares, token, predecessor }: Refused, now: number, profile: Profile): Rung {
  // Its arrival shows that the refused token had been accepted before: the predecessor must not be shown again.
  const child = spares.find(({ parent }) => token.includes(parent));
  if (child !== undefined) return { rung: 'spare', spare: child, predecessor: 'dropped' };
  const sibling = spares.find(({ parent }) => predecessor?.token.includes(parent) === true);
  if (sibling !== undefined) return { rung: 'spare', spare: sibling, predecessor: 'kept' };
  if (predecessor !== undefined && isWithinGrace(predecessor.since, now, profile))
    return { rung: 'predecessor' };
  return { rung: 'none' };
}
