import { withdrawn } from '../campaign-events.ts';
import type { CampaignFacts, CampaignRepository } from '../model.ts';
import type { Run } from '../outbox.ts';
import { isOpen, planWithdrawal } from '../plan.ts';

/** Withdraws an invitation that has not left, for this reason. Throws `UnknownAccount`. */
export async function withdrawUnsent(
  repository: Pick<CampaignRepository, 'decide'>,
  accountId: string,
  { now, actor, reason }: { readonly now: number; readonly actor: string; readonly reason: string },
): Promise<void> {
  await repository.decide(accountId, (facts) => {
    const run = planWithdrawal(facts, now);
    const plan = run && unsentOnly(facts, run, now);
    return plan && { now, ...plan, recall: reason, event: withdrawn(now, actor) };
  });
}

/**
 * If the customer has another link that works, only the link of this one ends,
 * and reminders may still be sent by hand.
 */
function unsentOnly(
  { messages, invitations }: CampaignFacts,
  run: Run,
  now: number,
): { readonly run: Run; readonly revoke: true | string } | undefined {
  const unsent = messages.find(
    ({ kind, fate: { state } }) => kind === 'invitation' && (state === 'queued' || state === 'failed'),
  );
  if (unsent === undefined) return undefined;
  const others = invitations.filter(({ id }) => id !== unsent.invitationId);
  return others.some((one) => isOpen(one, now))
    ? { run: { ...run, state: 'stopped', reason: 'done', at: now }, revoke: unsent.invitationId }
    : { run, revoke: true };
}
