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

/** The e-mails that ask for a consent, without those that were withdrawn before they left. */
const askingIn = ({ messages }: CampaignFacts): CampaignFacts['messages'] =>
  messages.filter(({ kind, fate }) => !isReport(kind) && fate.state !== 'withdrawn');

/** Whether nobody has written, as where the operator passed a link on: a reminder would say that somebody has. */
export const isUnmailed = (facts: CampaignFacts): boolean => askingIn(facts).length === 0;

/** Whether the customer has ever declined: then only a person's commands write to them. */
export const hasDeclined = ({ invitations }: CampaignFacts): boolean =>
  invitations.some(({ state }) => state === 'declined');

/** Whether the mail server has never taken an e-mail that asks for a consent: a reminder would remind of nothing. */
export function isAbandoned(facts: CampaignFacts): boolean {
  const asking = askingIn(facts);
  return asking.length > 0 && asking.every(({ fate }) => fate.state === 'abandoned');
}
