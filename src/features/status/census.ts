import type { ShownStage } from '../accounts/account.ts';
import type { DeliveryState } from '../events/delivery.ts';
import type { Grant } from '../../tokens/grant.ts';
import type { InvitationState } from '../accounts/invitation.ts';
import type { MessageState } from '../campaign/outbox.ts';
import type { WriteCounts } from '../writes/model.ts';

/**
 * Counts for the metrics: small grouped queries, so that a scrape costs little however many accounts there
 * are.
 */
export interface Census {
  /** `disconnected`: ended by its customer or by an operator; the status report shows it as `lost`. */
  readonly accounts: Readonly<Record<ShownStage | 'disconnected', number>>;
  /** Every invitation ever issued, by state; one that has run out counts as `expired`. */
  readonly invitations: Readonly<Record<InvitationState, number>>;
  readonly messages: Readonly<Record<MessageState, number>>;
  /** No message has reached the mail server lately, and some wait: all pause between single attempts. */
  readonly isMailPaused: boolean;
  readonly grants: Readonly<Record<Grant['state'], number>>;
  /** When the least recently refreshed grant was last refreshed; undefined if there is none. */
  readonly oldestGrantAt: number | undefined;
  /** When the oldest unanswered refresh was first sent; undefined if there is none. */
  readonly oldestUnresolvedAt?: number | undefined;
  /** When the earliest confirmation was, or will be, due; undefined if there is none. */
  readonly firstConfirmAt?: number | undefined;
  readonly deliveries: Readonly<Record<DeliveryState, number>>;
  /** Records without a V1 number, of accounts that have not left. */
  readonly unlearned: number;
  /** Accounts in which something differs from before their move. */
  readonly flagged: number;
  /** Changes of the service's answers that nobody has acknowledged. */
  readonly drift: number;
  readonly writes: WriteCounts;
}

export const noInvitations: Census['invitations'] = {
  issued: 0,
  opened: 0,
  accepted: 0,
  declined: 0,
  expired: 0,
  withdrawn: 0,
};

export interface CensusTaker {
  take(now: number): Promise<Census>;
}
