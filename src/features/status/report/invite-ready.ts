import { inviteNeedNames, inviteNeeds, type InviteNeed, type MailState } from '../codes.ts';
import { type ReportedAccount, type StatusReport } from '../model.ts';
import type { WaveWithMembers } from '../../campaign/waves/model.ts';
import type { MessageState } from '../../campaign/outbox.ts';
import type { Case } from './judge.ts';
import { counted } from '../../../lib/text/counted.ts';
import { cameBack, ownMessage } from './reached.ts';

const states: Readonly<Record<MessageState, MailState>> = {
  queued: 'waiting',
  sending: 'waiting',
  failed: 'waiting',
  sent: 'sent',
  refused: 'failed',
  unknown: 'failed',
  abandoned: 'failed',
  withdrawn: 'none',
};

/** The fate of the e-mail with an account's newest invitation; a problem with its address takes precedence. */
export function mailState(one: Pick<Case, 'account' | 'invitation' | 'message'>): MailState {
  const { account } = one;
  const message = ownMessage(one);
  if (account.suppressed !== undefined) return account.suppressed === 'refused' ? 'dead' : 'unsubscribed';
  // Only `issued`: a customer who has opened or answered it has received it.
  if (one.invitation?.state === 'issued' && cameBack(one)) return 'failed';
  if (message !== undefined && states[message.state] !== 'none') return states[message.state];
  return account.hasAddress ? 'none' : 'no-address';
}

type Need = readonly [InviteNeed, (one: Case) => boolean];

const isAsked = ({ account, v1 }: Case): boolean =>
  v1.answers && account.stage === 'legacy' && account.origin !== 'issued';

/** Each need with the test that it is met. An account that has moved before needs nothing from V1. */
const needs: readonly Need[] = [
  ['identifiers', (one) => !isAsked(one) || !one.v1.numbers || one.isIdentified],
  ['v1', (one) => !isAsked(one) || (one.v1Refused === undefined && (one.isIdentified || hasCalledV1(one)))],
  ['address', ({ account, mails }) => !mails || (account.hasAddress && account.suppressed === undefined)],
  ['usage', (one) => !isAsked(one) || one.account.lastCallAt !== undefined],
];

const hasCalledV1 = ({ calls }: Case): boolean => (calls?.v1Calls ?? 0) > 0;

/** Whether everything is known that an invitation should wait for; null where no consent is needed. */
export function inviteReadyOf(one: Case): ReportedAccount['inviteReady'] {
  const { stage, lostReason } = one.account;
  if (stage !== 'legacy' && (stage !== 'lost' || lostReason === 'exported')) return null;
  const lacks = needs.filter(([, isMet]) => !isMet(one)).map(([need]) => need);
  return { ready: lacks.length === 0, lacks };
}

/**
 * The accounts that a wave would invite, of those that meet its filters: their customers have to consent and are
 * neither invited nor in another wave; at most `most`, those with the fewest calls first.
 */
export function wouldInvite(
  accounts: readonly ReportedAccount[],
  most: number | undefined,
  waves: readonly WaveWithMembers[],
): readonly string[] {
  const taken = new Set(waves.flatMap(({ members }) => members.map(({ accountId }) => accountId)));
  return accounts
    .filter((account) => isUninvited(account) && !taken.has(account.id))
    .sort((a, b) => a.calls24h - b.calls24h)
    .slice(0, most)
    .map(({ id }) => id);
}

/** Why a wave would invite nobody: `accounts` meet its filters, `unready` would if they were ready. */
export function nobodyWords(
  accounts: readonly ReportedAccount[],
  unready: readonly ReportedAccount[],
  waves: readonly WaveWithMembers[],
): string {
  const ids = wouldInvite(unready, undefined, waves);
  const waiting = unready.filter(({ id }) => ids.includes(id));
  if (waiting.length > 0) {
    const lacks = inviteReadiness(waiting).lacks.map(({ words, accounts: count }) => `${count}: ${words}`);
    const none =
      waiting.length === 1
        ? 'the one uninvited account that meets its other filters is not ready'
        : `none of the ${counted(waiting.length, 'uninvited account')} that meet its other filters is ready`;
    return `${none} (${lacks.join('; ')})`;
  }
  return accounts.length === 0 && unready.length === 0
    ? 'no account meets its filters'
    : 'every account that meets its filters has been invited already, needs no invitation, or is in another wave';
}

/** Whether its customer has to consent and was never invited. */
export const isUninvited = ({ stage, invitation }: ReportedAccount): boolean =>
  stage === 'legacy' && invitation.state === 'none';

/** Over all accounts without an invitation: how many are ready, and what the others lack. */
export function inviteReadiness(accounts: readonly ReportedAccount[]): StatusReport['totals']['inviteReady'] {
  const uninvited = accounts.filter(isUninvited).flatMap(({ inviteReady }) => inviteReady ?? []);
  const lacks = inviteNeedNames.map((need) => ({
    need,
    words: inviteNeeds[need],
    accounts: uninvited.filter((one) => one.lacks.includes(need)).length,
  }));
  return {
    of: uninvited.length,
    ready: uninvited.filter(({ ready }) => ready).length,
    lacks: lacks.filter((one) => one.accounts > 0),
  };
}
