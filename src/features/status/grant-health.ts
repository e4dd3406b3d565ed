import type { Grant, LossReason } from '../../tokens/grant.ts';
import type { Consenter } from '../../upstream/organisation.ts';

/** The state of a consent; never a token. */
export interface GrantHealth {
  readonly id: string;
  readonly state: Grant['state'];
  readonly consenter: Consenter;
  readonly scope: string;
  readonly createdAt: number;
  readonly renewedAt: number;
  /** Number of the token pair, from 1; undefined once the grant is lost. */
  readonly generation: number | undefined;
  /** When it expires unless it is refreshed; undefined once it is lost. */
  readonly expiresAt: number | undefined;
  /** For an unresolved grant: since when, how many attempts, and when it is tried again. */
  readonly unresolved:
    { readonly since: number; readonly presentations: number; readonly nextAt: number } | undefined;
  /** When an early refresh confirms the token pair, because the previous one was presented more than once. */
  readonly confirmAt: number | undefined;
  readonly lost: { readonly reason: LossReason; readonly at: number } | undefined;
}

/** `refreshLife`: how long an unused refresh token lives, in milliseconds. */
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
