import type { ReportedAccount } from '../model.ts';
import type { AccountLine, InvitationLine, MessageLine } from '../report-rows.ts';

/** The facts that show whether an invitation has reached its customer. */
interface Facts {
  readonly account: AccountLine;
  readonly invitation: InvitationLine | undefined;
  readonly message: MessageLine | undefined;
  readonly now: number;
}

/** The state of the row, or a state that no row stores. */
export function invitationState(one: Facts): ReportedAccount['invitation']['state'] {
  const { account, invitation, now } = one;
  if (invitation === undefined) return 'none';
  const { state, issuedAt, expiresAt } = invitation;
  if (state !== 'issued' && state !== 'opened') return state;
  // The customer was not asked again since it was lost.
  if (account.stage === 'lost' && issuedAt < account.stageSince) return 'none';
  // Its customer has answered, however long the operator takes to confirm it.
  if (account.stage === 'awaiting-operator') return state;
  return isUnsent(one, invitation) ? 'unsent' : expiresAt <= now ? 'expired' : state;
}

/** A customer who has opened it has received it. */
const isUnsent = (
  one: Facts,
  { state, issuedAt, openedIssuedAt }: Pick<InvitationLine, 'state' | 'issuedAt' | 'openedIssuedAt'>,
): boolean =>
  state === 'issued' && (issuedAt > one.now || (openedIssuedAt === undefined && !hasReached(one)));

/**
 * Whether an e-mail or a link has reached the customer; an invitation that still waits in the outbox, or came back,
 * has not.
 */
const hasReached = (one: Facts): boolean => {
  const message = ownMessage(one);
  return message === undefined || ((message.state === 'withdrawn' || message.anySent) && !cameBack(one));
};

/**
 * The newest message, if it carried the newest invitation: the fate of an earlier one says nothing about a link made
 * since.
 */
export const ownMessage = ({
  invitation,
  message,
}: Pick<Facts, 'invitation' | 'message'>): MessageLine | undefined =>
  invitation === undefined || message?.invitationId === invitation.id ? message : undefined;

/**
 * Whether the e-mail of the newest invitation came back, perhaps later, or was refused: the address that it went to,
 * or that its reminders would go to, is dead.
 */
export const cameBack = (one: Pick<Facts, 'account' | 'invitation' | 'message'>): boolean => {
  const message = ownMessage(one);
  return message !== undefined && (message.isToDead || one.account.suppressed === 'refused');
};

/** The text for one that came back, where the account now has another address, or none. */
export const FROM_FORMER = 'it came back from the former address';
/** Follows it until another is sent. */
export const NONE_SINCE = 'and none has been sent to the new one yet';
