import { unsentWithdrawn } from '../campaign-events.ts';
import type { CampaignFacts, CampaignRepository, Entry } from '../model.ts';
import { isOpen, planWithdrawal } from '../plan.ts';

interface Removal {
  readonly now: number;
  readonly actor: string;
  readonly reason: string;
}

/**
 * Withdraws the invitation that a stopped wave holds back, and its link. Other messages and links of the customer stay.
 * Returns whether there was one. Throws `UnknownAccount`.
 */
export async function withdrawUnsent(
  repository: Pick<CampaignRepository, 'decide'>,
  accountId: string,
  removal: Removal,
): Promise<boolean> {
  return (await repository.decide(accountId, (facts) => entryOf(facts, removal))) !== undefined;
}

/** A customer who has another link that works may still be reminded by hand. */
function entryOf(facts: CampaignFacts, { now, actor, reason }: Removal): Entry | undefined {
  const run = planWithdrawal(facts, now);
  const held = facts.messages.find(({ isHeld }) => isHeld === true);
  if (run === undefined || held === undefined) return undefined;
  const hasOther = facts.invitations.some((one) => one.id !== held.invitationId && isOpen(one, now));
  return {
    now,
    run: hasOther ? { ...run, state: 'stopped', reason: 'done', at: now } : run,
    revoke: held.invitationId,
    recall: reason,
    recallOnly: held.id,
    event: unsentWithdrawn(now, actor, hasOther),
  };
}
