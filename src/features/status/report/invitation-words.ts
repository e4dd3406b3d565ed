import type { Invitation } from '../../accounts/invitation.ts';
import { addressKey } from '../../accounts/details.ts';
import { FROM_FORMER } from './reached.ts';
import type { Message, MessageState, Run, Suppression } from '../../campaign/outbox.ts';
import { invitationStateWords } from '../code-words.ts';
import type { ReportedAccount } from '../model.ts';

/** Of an invitation without an e-mail: the bridge does not know whether somebody has passed its link on. */
const LINK_MADE = 'a link was made';
const NOT_DELIVERED = 'not delivered';
/** The invitation stays open until the operator says whose organisation it was. */
const APPROVED = 'approved, to be confirmed';

type Case = Pick<ReportedAccount, 'invitation' | 'mail' | 'stage'>;

/** What the state alone does not say; the first that holds. */
const exceptions: readonly (readonly [string, (account: Case) => boolean])[] = [
  ['', ({ invitation }) => invitation.state === 'none'],
  [NOT_DELIVERED, ({ invitation, mail }) => invitation.state === 'unsent' && faults.has(mail)],
  [LINK_MADE, ({ invitation, mail }) => invitation.state === 'issued' && unwritten.has(mail)],
  [APPROVED, ({ invitation, stage }) => invitation.state === 'opened' && stage === 'awaiting-operator'],
];
const faults: ReadonlySet<Case['mail']> = new Set(['failed', 'dead'] as const);
const unwritten: ReadonlySet<Case['mail']> = new Set(['none', 'no-address', 'dead'] as const);

/** The state of an account's newest invitation; empty if nobody was invited. */
export const invitationWords = (account: Case): string =>
  exceptions.find(([, holds]) => holds(account))?.[0] ?? invitationStateWords(account.invitation.state);

/** What its row does not say of an invitation. */
interface Around {
  /** Of the account, newest first. */
  readonly messages: readonly Pick<Message, 'invitationId' | 'to' | 'fate'>[];
  /** Of its address. */
  readonly suppression: Pick<Suppression, 'address' | 'reason'> | undefined;
  /** The address that the account has now. */
  readonly email: string | undefined;
  /** The campaign run of the account. */
  readonly run: Run | undefined;
  readonly now: number;
  /** Somebody has approved, and the operator has not confirmed it yet. */
  readonly isAwaited: boolean;
}

/** One of an account's invitations, in the same words. */
export function oneInvitationWords(invitation: Invitation, around: Around): string {
  const { messages, now, isAwaited } = around;
  const { id, state, expiresAt } = invitation;
  if (state === 'opened' && isAwaited) return APPROVED;
  if (state !== 'issued' && state !== 'opened') return invitationStateWords(state);
  if (expiresAt <= now) return invitationStateWords('expired');
  if (state === 'opened') return invitationStateWords(state);
  const returnedWords = wordsOfReturned(around, id);
  if (returnedWords !== undefined) return returnedWords;
  const fates = messages.filter(({ invitationId }) => invitationId === id).map(({ fate }) => fate.state);
  return fates.length === 0 && invitation.issuedAt <= now ? LINK_MADE : mailWords(fates);
}

function wordsOfReturned(around: Around, id: string): string | undefined {
  if (returned(around) === id) return NOT_DELIVERED;
  return returnedFromFormer(around) === id ? `${NOT_DELIVERED}: ${FROM_FORMER}` : undefined;
}

/** The invitation whose e-mail came back: the last to an address that is dead, which gets no more. */
const returned = ({ messages, suppression }: Around): string | undefined =>
  suppression?.reason === 'refused'
    ? messages.find(
        ({ to, fate }) => fate.state === 'sent' && addressKey(to) === addressKey(suppression.address),
      )?.invitationId
    : undefined;

/** The same of an address that was corrected since; nothing has been sent to the new one. */
function returnedFromFormer({ messages, email, run }: Around): string | undefined {
  const isOver = run?.state === 'stopped' && run.reason === 'refused';
  const last = isOver ? messages.find(({ fate }) => fate.state === 'sent') : undefined;
  return last !== undefined && email !== undefined && addressKey(last.to) !== addressKey(email)
    ? last.invitationId
    : undefined;
}

function mailWords(fates: readonly MessageState[]): string {
  if (fates.includes('sent')) return invitationStateWords('issued');
  return fates.some((fate) => undelivered.has(fate)) ? NOT_DELIVERED : invitationStateWords('unsent');
}

const undelivered: ReadonlySet<MessageState> = new Set(['refused', 'unknown', 'abandoned'] as const);
