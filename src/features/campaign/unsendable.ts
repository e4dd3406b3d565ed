import type { Standing } from './campaign.ts';
import type { Message } from './outbox.ts';
import { isInNeed, isOpen } from './plan.ts';

/** Why a claimed message is not handed over after all; the world may have moved on since it was queued. */
export function unsendable(
  standing: Standing | undefined,
  message: Message,
  now: number,
): string | undefined {
  if (standing === undefined) return 'the account is gone';
  const { account, details, suppression, invitations } = standing;
  if (account.life.stage === 'closed') return 'the account was closed';
  if (message.kind === 'notice') {
    if (details.email === undefined) return 'the account no longer has an address';
    return suppression?.reason === 'refused' ? 'the address was refused before' : undefined;
  }
  if (account.life.stage === 'awaiting-operator') return 'the account has been approved in the meantime';
  if (!isInNeed(account)) return 'the account has been connected in the meantime';
  if (details.email === undefined) return 'the account no longer has an address';
  if (suppression?.reason === 'refused') return 'the address was refused before';
  if (suppression !== undefined && message.kind !== 'fresh') return 'its owner unsubscribed from e-mail';
  const invitation = invitations.find(({ id }) => id === message.invitationId);
  if (invitation === undefined || !isOpen(invitation, now)) return 'its link no longer works';
  return undefined;
}
