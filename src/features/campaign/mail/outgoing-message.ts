/** Whether a claimed message is still to be sent, and the message as the postman gets it. */
import { accountInMail, isReport, type Message, type MessageKind, type OutgoingMessage } from '../outbox.ts';
import type { CampaignFacts, Claimed } from '../model.ts';
import { isInNeed, isUnanswered } from '../plan.ts';
import { LINK_COLUMN } from '../report.ts';
import { UNSUBSCRIBE_PATH, unsubscribeToken } from '../unsubscribe.ts';
import { isKnownStage, type Account } from '../../accounts/account.ts';
import { CONNECT_PATH } from '../../accounts/accounts.ts';
import { addressKey } from '../../accounts/details.ts';
import { SealBroken, type Seal } from '../../../lib/secret/seal.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { GrantRepository } from '../../../tokens/grant.ts';
import { personOf, type Consenter } from '../../../upstream/organisation.ts';

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

/** Who approved a connection, and when. */
export interface Approval {
  readonly by: Consenter;
  readonly at: number;
}

/** The parts for composing a message. */
export interface OutgoingParts {
  readonly grants: Pick<GrantRepository, 'find'>;
  readonly seal: Seal;
  readonly clock: Clock;
  /** The bridge's address for browsers, without a trailing slash. */
  readonly publicUrl: string;
}

/**
 * Who approved the connection, and when, which may be days before an operator confirmed it; undefined if the approval is
 * gone, or is not the one that a receipt is for.
 */
export async function approvalOf(
  { grants }: OutgoingParts,
  { kind, to }: Message,
  { account }: CampaignFacts,
): Promise<Approval | undefined> {
  if (!('binding' in account.life)) return undefined;
  const grant = await grants.find(account.life.binding.grantId);
  const isTheirs = addressKey(grant?.consenter.email ?? '') === addressKey(to);
  return grant === undefined || (kind === 'receipt' && !isTheirs)
    ? undefined
    : { by: grant.consenter, at: grant.createdAt };
}

/** The complete message of a claim; undefined if its link was sealed by a key that no longer exists. */
export function outgoingMessage(
  { seal, publicUrl, clock }: OutgoingParts,
  { message, linkSealed }: Claimed,
  { account, details, invitations }: CampaignFacts,
  approval: Approval | undefined,
): OutgoingMessage | undefined {
  const link = linkSealed === undefined ? undefined : opened(seal, linkSealed, message.id);
  if (link === undefined && linkSealed !== undefined) return undefined;
  return {
    id: message.id,
    messageId: message.messageId,
    kind: message.kind,
    to: { name: message.kind === 'receipt' ? approval?.by.name : details.contactName, address: message.to },
    language: details.language,
    zone: details.zone,
    account: accountInMail(account, details, clock.now()),
    link: link && new Secret(`${publicUrl}${pathOf(message.kind)}${link.reveal()}`),
    by: approval && personOf(approval.by),
    at: approval?.at ?? message.queuedAt,
    unsubscribe: new Secret(`${publicUrl}${UNSUBSCRIBE_PATH}${unsubscribeToken(seal, message.id)}`),
    expiresAt: invitations.find(({ id }) => id === message.invitationId)?.expiresAt ?? 0,
    reminder: message.reminder,
  };
}

/** Path of the page that a connection's link opens. */
export const CONNECTION_PATH = '/_causeway/connection/';
const pathOf = (kind: MessageKind): string => (isReport(kind) ? CONNECTION_PATH : CONNECT_PATH);

function opened(seal: Seal, sealed: string, owner: string): Secret | undefined {
  try {
    return seal.open(sealed, owner, LINK_COLUMN);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
