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

/** Whether the mail server has never taken an e-mail that asks for a consent: a reminder would remind of nothing. */
export function isAbandoned({ messages }: CampaignFacts): boolean {
  const asking = messages.filter(({ kind }) => !isReport(kind));
  return asking.length > 0 && asking.every(({ fate }) => fate.state === 'abandoned');
}
