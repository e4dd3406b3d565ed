import type { Invitation } from '../../accounts/invitation.ts';
import { addressKey } from '../../accounts/details.ts';
import { FROM_FORMER, NONE_SINCE } from './reached.ts';
import type { Message, MessageState } from '../../campaign/outbox.ts';
import { invitationStateWords } from '../code-words.ts';
import type { ReportedAccount } from '../model.ts';

/** For an invitation without an e-mail: the bridge does not know whether the link was passed on. */
const LINK_MADE = 'a link was made';
const NOT_DELIVERED = 'not delivered';
/** The invitation stays open until the operator says whose organisation it was. */
const APPROVED = 'approved, to be confirmed';

type Case = Pick<ReportedAccount, 'invitation' | 'mail' | 'stage'>;

/** Texts for what the state alone does not say; the first that applies is used. */
const exceptions: readonly (readonly [string, (account: Case) => boolean])[] = [
  ['', ({ invitation }) => invitation.state === 'none'],
  [NOT_DELIVERED, ({ invitation, mail }) => invitation.state === 'unsent' && faults.has(mail)],
  [LINK_MADE, ({ invitation, mail }) => invitation.state === 'issued' && unwritten.has(mail)],
  [APPROVED, ({ invitation, stage }) => invitation.state === 'opened' && stage === 'awaiting-operator'],
];
const faults: ReadonlySet<Case['mail']> = new Set(['failed', 'dead'] as const);
const unwritten: ReadonlySet<Case['mail']> = new Set(['none', 'no-address', 'dead'] as const);

/** The state of an account's newest invitation; empty if there is none. */
export const invitationWords = (account: Case): string =>
  exceptions.find(([, holds]) => holds(account))?.[0] ?? invitationStateWords(account.invitation.state);

/** The context that the row of an invitation lacks. */
interface Around {
  /** The messages to the account, newest first. */
  readonly messages: readonly Pick<Message, 'invitationId' | 'to' | 'fate' | 'isToDead'>[];
  /** The account's present address. */
  readonly email: string | undefined;
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

/** Among several e-mails to a dead address, the last one came back, unless another was refused at once. */
function wordsOfReturned({ messages, email }: Around, id: string): string | undefined {
  const one = messages.find(({ invitationId, fate }) => invitationId === id && fate.state === 'sent');
  if (one?.isToDead !== true || lastThere(messages, one.to) !== one) return undefined;
  if (email !== undefined && addressKey(email) === addressKey(one.to)) return NOT_DELIVERED;
  const isLast = messages.find(({ fate }) => fate.state === 'sent') === one;
  return `${NOT_DELIVERED}: ${FROM_FORMER}${isLast && email !== undefined ? `, ${NONE_SINCE}` : ''}`;
}

const lastThere = (messages: Around['messages'], address: string): Around['messages'][number] | undefined =>
  messages.find(
    ({ to, fate }) =>
      addressKey(to) === addressKey(address) && (fate.state === 'sent' || fate.state === 'refused'),
  );

function mailWords(fates: readonly MessageState[]): string {
  if (fates.includes('sent')) return invitationStateWords('issued');
  return fates.some((fate) => undelivered.has(fate)) ? NOT_DELIVERED : invitationStateWords('unsent');
}

const undelivered: ReadonlySet<MessageState> = new Set(['refused', 'unknown', 'abandoned'] as const);
