import type { CampaignFacts } from '../model.ts';
import { isReport } from '../outbox.ts';

/**
 * Whether the last message went to a former address, for which its link was withdrawn: nobody has written to the present
 * one. Once the link would have expired, a new invitation is the operator's decision.
 */
export function isUnwritten({ messages, invitations }: CampaignFacts, now: number): boolean {
  const last = messages.findLast(({ kind }) => !isReport(kind));
  return invitations.some(
    ({ id, state, expiresAt }) => id === last?.invitationId && state === 'withdrawn' && expiresAt > now,
  );
}
