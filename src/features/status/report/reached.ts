import type { ReportedAccount } from '../model.ts';
import type { AccountLine, InvitationLine, MessageLine, RunLine } from '../report-rows.ts';

/** What says whether an invitation has reached its customer. */
interface Facts {
  readonly account: AccountLine;
  readonly message: MessageLine | undefined;
  readonly run: RunLine | undefined;
  readonly now: number;
}

/** The state of the row, or one that no row stores. */
export function invitationState(
  one: Facts & { readonly invitation: InvitationLine | undefined },
): ReportedAccount['invitation']['state'] {
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
const hasReached = ({ message, run, account }: Facts): boolean =>
  message === undefined || message.state === 'withdrawn' || (message.anySent && !cameBack({ run, account }));

/** The mail server took it, and it came back later. */
export const cameBack = ({ run, account }: Pick<Facts, 'run' | 'account'>): boolean =>
  run?.stopped === 'refused' && account.suppressed === 'refused';
