import type { LossReason } from '../grant.ts';
import type { RefresherParts } from './attempt.ts';
import { leaseTime } from './timing.ts';

/** Why a grant is given up. */
export interface Abandonment {
  readonly reason: LossReason;
  readonly isWanted?: boolean;
}

/**
 * Gives up a grant whose purpose is gone, although its refresh token was not refused. Only at that generation,
 * so that a consent given meanwhile stays. The lease prevents a refresh; a process that dies under it leaves an
 * unresolved grant, whose token the sweeper presents as after any refresh without an answer. False: another
 * process is working on the grant, or it has a younger pair. `isWanted`: a person ended the connection, so nobody needs
 * to be alarmed.
 */
export async function abandon(
  { repository, profile, holder, clock, guard, log, onAlarm, onLost }: RefresherParts,
  { grantId, generation }: { readonly grantId: string; readonly generation: number },
  { reason, isWanted = false }: Abandonment,
): Promise<boolean> {
  // In a copy of the database the grant may be the living one's.
  if ((await guard?.mayPresent()) === false) return false;
  const lease = leaseTime({ presentations: 1, predecessor: undefined }, profile);
  const beginning = await repository.begin({ grantId, holder, generation, ...lease, now: clock.now() });
  if (beginning.outcome !== 'begun') return false;
  if (!(await repository.lost(beginning.lease, reason, clock.now()))) return false;
  if (!isWanted) {
    log.error('grant.lost', { grant: grantId, generation, reason });
    onAlarm?.('lost');
  }
  onLost?.(grantId, reason);
  return true;
}
