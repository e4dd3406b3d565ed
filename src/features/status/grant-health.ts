import type { Grant, LossReason } from '../../tokens/grant.ts';
import type { Consenter } from '../../upstream/organisation.ts';

/** How a consent is doing; never a token. */
export interface GrantHealth {
  readonly id: string;
  readonly state: Grant['state'];
  readonly consenter: Consenter;
  readonly scope: string;
  readonly createdAt: number;
  readonly renewedAt: number;
  /** Counts the pairs of tokens, from 1; undefined once the grant is lost. */
  readonly generation: number | undefined;
  /** When it ends unless it is renewed before; undefined once it is lost. */
  readonly expiresAt: number | undefined;
  /** Of one that could not be renewed: since when, how often it was tried, and when it is tried again. */
  readonly unresolved:
    { readonly since: number; readonly presentations: number; readonly nextAt: number } | undefined;
  /** When the pair is proved by an early refresh, because the one before it had to be presented more than once. */
  readonly confirmAt: number | undefined;
  readonly lost: { readonly reason: LossReason; readonly at: number } | undefined;
}

/** `refreshLife`: how long a refresh token lives after its last use, in milliseconds. */
export function healthOf(grant: Grant, refreshLife: number): GrantHealth {
  const { id, state, consenter, scope, createdAt, renewedAt } = grant;
  return {
    id,
    state,
    consenter,
    scope,
    createdAt,
    renewedAt,
    generation: grant.state === 'lost' ? undefined : grant.tokens.generation,
    expiresAt: grant.state === 'lost' ? undefined : renewedAt + refreshLife,
    unresolved:
      grant.state === 'unresolved'
        ? { since: grant.since, presentations: grant.presentations, nextAt: grant.nextAt }
        : undefined,
    confirmAt: grant.state === 'held' ? grant.confirmAt : undefined,
    lost: grant.state === 'lost' ? { reason: grant.reason, at: grant.at } : undefined,
  };
}
