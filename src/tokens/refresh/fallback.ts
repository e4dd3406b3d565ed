/**
 * What happens after the service has refused a refresh token: a late pair is taken, then the predecessor is
 * presented again, and at the end of that chain the grant is lost.
 */
import type { Lease, LatePair, LivingGrant, LossReason, Predecessor, TokenPair } from '../grant.ts';
import { openPair, sealPair } from '../grant-row.ts';
import type { Profile } from '../../upstream/profile.ts';
import { fingerprints, type KeepingParts } from './keeping.ts';
import { heldOf, isWithinGrace, type HeldToken } from './timing.ts';

/** Dependencies of the fallback chain. */
export interface FallbackParts extends KeepingParts {
  /** Called once, by the instance whose write it was. */
  readonly onLost?: ((grantId: string, reason: LossReason) => void) | undefined;
  /** Decides what happens after a refusal. */
  readonly fallbacks?: typeof nextFallback | undefined;
}

/** The outcome. `fenced`: somebody else holds the grant. `fell-back`: the predecessor is to be presented. */
export type AfterRefusal =
  | { readonly outcome: 'held'; readonly held: HeldToken }
  | { readonly outcome: 'lost'; readonly reason: LossReason }
  | { readonly outcome: 'unknown' | 'fenced' | 'fell-back' };

const FENCED = { outcome: 'fenced' } as const;

/** Takes one step along the chain for each refusal. */
export class Fallbacks {
  readonly #parts: FallbackParts;

  constructor(parts: FallbackParts) {
    this.#parts = parts;
  }

  /**
   * Takes the next fallback; the grant is lost only at the end of the chain. `lease`: under which the token was presented.
   */
  async after(lease: Lease, presented: TokenPair, description: string): Promise<AfterRefusal> {
    const { repository, seal, clock, log, profile, fallbacks = nextFallback } = this.#parts;
    const now = await repository.find(lease.grantId);
    if (now === undefined) return { outcome: 'unknown' };
    if (now.state === 'lost') return { outcome: 'lost', reason: now.reason };
    if (now.tokens.generation > presented.generation) {
      const held = heldOf(openPair(seal, now.id, now.tokens), now.renewedAt, profile);
      return { outcome: 'held', held };
    }
    const refused = {
      latePairs: await repository.latePairs(lease.grantId),
      token: fingerprints(seal, presented.refreshToken),
      predecessor: this.#predecessorOf(now),
    };
    const fallback = fallbacks(refused, clock.now(), profile);
    log.warn('refresh.refused', {
      grant: lease.grantId,
      generation: presented.generation,
      description,
      next: fallback.fallback,
    });
    switch (fallback.fallback) {
      case 'late-pair':
        return this.#takeLatePair(lease, presented, fallback);
      case 'predecessor':
        return (await repository.fellBack(lease, clock.now())) ? { outcome: 'fell-back' } : FENCED;
      case 'none':
        return this.#lose(lease, presented, description);
    }
  }

  /** None if it cannot be opened: it could not be presented either. */
  #predecessorOf(grant: LivingGrant): Refused['predecessor'] {
    const { predecessor } = grant;
    if (predecessor === undefined) return undefined;
    const { seal } = this.#parts;
    try {
      const pair = openPair(seal, grant.id, { ...grant.tokens, refreshToken: predecessor.refreshToken });
      return { since: predecessor.since, token: fingerprints(seal, pair.refreshToken) };
    } catch {
      return undefined;
    }
  }

  async #takeLatePair(
    lease: Lease,
    presented: TokenPair,
    { latePair, predecessor }: Extract<Fallback, { fallback: 'late-pair' }>,
  ): Promise<AfterRefusal> {
    const { repository, seal, clock, profile } = this.#parts;
    const generation = presented.generation + 1;
    const pair = openPair(seal, latePair.id, { ...latePair, generation });
    const now = clock.now();
    const sealed = sealPair(seal, lease.grantId, pair);
    const took = await repository.tookLatePair(lease, latePair.id, sealed, { now, predecessor });
    return took ? { outcome: 'held', held: heldOf(pair, now, profile) } : FENCED;
  }

  async #lose(lease: Lease, presented: TokenPair, description: string): Promise<AfterRefusal> {
    const { repository, clock, log, onLost, onAlarm } = this.#parts;
    if (!(await repository.lost(lease, 'refused', clock.now()))) return FENCED;
    // No customer was connected with it; the importer gets the outcome.
    if (presented.generation === 0) return { outcome: 'lost', reason: 'refused' };
    log.error('grant.lost', {
      grant: lease.grantId,
      generation: presented.generation,
      reason: 'refused',
      description,
    });
    onAlarm?.('lost');
    onLost?.(lease.grantId, 'refused');
    return { outcome: 'lost', reason: 'refused' };
  }
}

/** What can still be done for a grant whose current refresh token was refused, in this order. */
export type Fallback =
  | { readonly fallback: 'late-pair'; readonly latePair: LatePair; readonly predecessor: 'kept' | 'dropped' }
  | { readonly fallback: 'predecessor' }
  | { readonly fallback: 'none' };

/** A refresh token that the service has refused, and what could still help its grant. */
export interface Refused {
  /** Youngest first. */
  readonly latePairs: readonly LatePair[];
  /** Keyed hashes of the refused token, by which late pairs name their parents. */
  readonly token: readonly string[];
  readonly predecessor: (Pick<Predecessor, 'since'> & { readonly token: readonly string[] }) | undefined;
}

/**
 * The next step of the fallback chain. Call it only after a refusal: after the current token was accepted, or
 * got no answer, presenting the predecessor would be reuse and would revoke everything.
 */
export function nextFallback(
  { latePairs, token, predecessor }: Refused,
  now: number,
  profile: Profile,
): Fallback {
  // Its existence shows that the refused token had been accepted before: the predecessor must not be
  // presented again.
  const child = latePairs.find(({ parent }) => token.includes(parent));
  if (child !== undefined) return { fallback: 'late-pair', latePair: child, predecessor: 'dropped' };
  const sibling = latePairs.find(({ parent }) => predecessor?.token.includes(parent) === true);
  if (sibling !== undefined) return { fallback: 'late-pair', latePair: sibling, predecessor: 'kept' };
  if (predecessor !== undefined && isWithinGrace(predecessor.since, now, profile))
    return { fallback: 'predecessor' };
  return { fallback: 'none' };
}
