import { SECOND } from '../../../lib/time/clock.ts';
import type { Protocol } from '../../protocol.ts';

/** The known facts about a presented refresh token. Times in milliseconds. */
export interface Presented {
  readonly familyRevoked: boolean;
  readonly expiresAt: number;
  /** First use. */
  readonly usedAt: number | undefined;
  readonly replacedAt: number | undefined;
  readonly successorUsed: boolean;
}

/**
 * `renew`: first use. `retry`: again within the grace period. `reuse`: refused, and the whole family is
 * revoked.
 */
export type Judgement = 'renew' | 'retry' | 'expired' | 'dead' | 'reuse';

/**
 * If no response to a refresh arrives, the same token may be retried for a grace period of 30 minutes; after that it is
 * invalid (V2 specification, "Tokens", rule 5). The grace period starts at the first use and is not extended.
 * Presenting a token whose successor was used is always reuse, because the answer with the successor did arrive. A
 * token that a retry replaced was never used, so presenting it is refused but does not revoke the family.
 */
export function judge(presented: Presented, protocol: Protocol, now: number): Judgement {
  if (presented.familyRevoked) return 'dead';
  if (presented.usedAt === undefined) {
    if (presented.replacedAt !== undefined) return 'dead';
    return now >= presented.expiresAt ? 'expired' : 'renew';
  }
  if (presented.successorUsed) return 'reuse';
  if (now - presented.usedAt < protocol.durations.grace * SECOND) return 'retry';
  return protocol.lateReuse === 'revokes' ? 'reuse' : 'dead';
}
