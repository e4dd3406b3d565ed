import type { ReportedAccount } from '../model.ts';
import type { AccountLine, InvitationLine, MessageLine } from '../report-rows.ts';

/** What says whether an invitation has reached its customer. */
interface Facts {
  readonly account: AccountLine;
  readonly invitation: InvitationLine | undefined;
  readonly message: MessageLine | undefined;
  readonly now: number;
}

/** The state of the row, or one that no row stores. */
export function invitationState(one: Facts): ReportedAccount['invitation']['state'] {
  const { account, invitation, now } = one;
  if (invitation === undefined) return 'none';
  const { state, issuedAt, expiresAt } = invitation;
  if (state !== 'issued' && state !== 'opened') return state;
  // Nobody was asked since it was lost.
  if (account.stage === 'lost' && issuedAt < account.stageSince) return 'none';
  return isUnsent(one, invitation) ? 'unsent' : expiresAt <= now ? 'expired' : state;
}

/** Whoever has opened it has got it. */
const isUnsent = (
  one: Facts,
  { state, issuedAt, openedIssuedAt }: Pick<InvitationLine, 'state' | 'issuedAt' | 'openedIssuedAt'>,
): boolean =>
  state === 'issued' && (issuedAt > one.now || (openedIssuedAt === undefined && !hasReached(one)));

/** Whether an e-mail or a link has reached the customer: an invitation that still waits in the outbox, or came back, has not. */
const hasReached = (one: Facts): boolean => {
  const message = ownMessage(one);
  return message === undefined || ((message.state === 'withdrawn' || message.anySent) && !cameBack(one));
};

/** The newest message, if it brought the newest invitation: what became of an earlier one says nothing of a link made since. */
export const ownMessage = ({
  invitation,
  message,
}: Pick<Facts, 'invitation' | 'message'>): MessageLine | undefined =>
  invitation === undefined || message?.invitationId === invitation.id ? message : undefined;

/**
 * The e-mail of the newest invitation came back, perhaps later, or was refused: the address that it went to is dead, or the one
 * that its reminders would go to.
 */
export const cameBack = (one: Pick<Facts, 'account' | 'invitation' | 'message'>): boolean => {
  const message = ownMessage(one);
  return message !== undefined && (message.isToDead || one.account.suppressed === 'refused');
};

/** What became of one that came back, for people, where the account has another address now, or none. */
export const FROM_FORMER = 'it came back from the former address';
/** What is said after it until another is sent. */
export const NONE_SINCE = 'and none was sent to the new one yet';
