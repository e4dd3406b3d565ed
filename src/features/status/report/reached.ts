import type { ReportedAccount } from '../model.ts';
import type { AccountLine, InvitationLine, MessageLine, RunLine } from '../report-rows.ts';

/** What says whether an invitation has reached its customer. */
interface Facts {
  readonly account: AccountLine;
  readonly invitation: InvitationLine | undefined;
  readonly message: MessageLine | undefined;
  readonly run: RunLine | undefined;
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

/** The mail server took the e-mail of the newest invitation, and it came back later, perhaps after the last reminder. */
export const cameBack = (one: Pick<Facts, 'run' | 'account' | 'invitation' | 'message'>): boolean =>
  cameBackFromFormer(one) ||
  (ownMessage(one) !== undefined &&
    one.account.suppressed === 'refused' &&
    (one.run?.stopped === 'refused' || one.run?.stopped === 'done'));

/** The address is another one since, to which nothing was sent yet: that would have begun a new run, or be the newest message. */
export const cameBackFromFormer = (one: Pick<Facts, 'run' | 'invitation' | 'message'>): boolean =>
  one.run?.stopped === 'refused' && ownMessage(one)?.isToFormer === true;

/** What became of it, for people. */
export const FROM_FORMER = 'it came back from the former address, and none was sent to the new one yet';
