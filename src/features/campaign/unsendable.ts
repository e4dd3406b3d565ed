import { isKnownStage, type Account } from '../accounts/account.ts';
import type { CampaignFacts } from './model.ts';
import { isReport, type Message } from './outbox.ts';
import { isInNeed, isUnanswered } from './plan.ts';

/** Why a claimed message is not sent after all; things may have changed since it was queued. */
export function unsendable(facts: CampaignFacts | undefined, message: Message): string | undefined {
  if (facts === undefined) return 'the account is gone';
  const { account, suppression, invitations } = facts;
  if (account.life.stage === 'closed') return 'the account was closed';
  if (isReport(message.kind)) return unreportable(facts, message);
  const fault = needless(account) ?? unreachable(facts, message);
  if (fault !== undefined) return fault;
  if (suppression !== undefined && message.kind !== 'fresh') return 'its customer unsubscribed from e-mail';
  const invitation = invitations.find(({ id }) => id === message.invitationId);
  // Its validity begins when it leaves.
  return invitation === undefined || !isUnanswered(invitation) ? 'its link no longer works' : undefined;
}

/** The end of a connection is no news once somebody has approved again. */
const unreportable = (facts: CampaignFacts, message: Message): string | undefined =>
  (message.kind === 'disconnected' ? needless(facts.account) : undefined) ?? unreachable(facts, message);

function needless(account: Account): string | undefined {
  if (account.life.stage === 'awaiting-operator') return 'the account has been approved in the meantime';
  if (!isKnownStage(account.life)) return 'the account is at a stage that this version does not know';
  return isInNeed(account) ? undefined : 'the account has been connected in the meantime';
}

function unreachable({ details, suppression }: CampaignFacts, { kind }: Message): string | undefined {
  // Its address comes from the service, not from the contact's details.
  if (kind === 'receipt') return undefined;
  if (details.email === undefined) return 'the account no longer has an address';
  return suppression?.reason === 'refused' ? 'the address was refused before' : undefined;
}
