/** The codes of the status report, each table with the texts people read. Codes are stable. */
import type { ShownStage } from '../accounts/account.ts';

/**
 * The stages in the order in which reports count them; exported and closed accounts have left, so nothing is expected
 * of them.
 */
export const shownStages = [
  'legacy',
  'awaiting-operator',
  'consented',
  'migrated',
  'lost',
  'exported',
  'closed',
] as const satisfies readonly ShownStage[];

/**
 * `none`: no invitation was ever made, or it was withdrawn before it left. `unsent`: it has not reached the customer:
 * it waits for its hour or its turn, or could not be delivered.
 */
export const invitationStates = [
  'none',
  'unsent',
  'issued',
  'opened',
  'accepted',
  'declined',
  'expired',
  'withdrawn',
] as const;

/** The fate of the e-mails to an account. */
export const mailStates = {
  none: 'nothing written yet',
  waiting: 'waits to be sent',
  sent: 'sent',
  failed: 'not delivered',
  dead: 'the address is dead',
  unsubscribed: 'unsubscribed',
  'no-address': 'no address',
} as const;
/** A key of `mailStates`. */
export type MailState = keyof typeof mailStates;

/** What an account needs before its customer is invited, in the order in which the bridge finds it out. */
export const inviteNeeds = {
  identifiers: 'its numbers were not all read from V1 yet',
  v1: 'V1 has not answered for it',
  address: 'it has no e-mail address that works',
  usage: 'no call of its programs was seen yet',
} as const;
/** A key of `inviteNeeds`. */
export type InviteNeed = keyof typeof inviteNeeds;

/** Why an account does not continue by itself: a short, stable list with the texts people read. */
export const stuckReasons = {
  'grant-lost': 'its consent has ended and must be given again',
  exported: 'its grant was exported: another program now holds its tokens',
  'grant-unresolved': 'its tokens could not be renewed yet; the bridge keeps trying',
  'grant-expiring': 'its tokens have not been renewed for a long time and will expire',
  'v1-refuses': 'V1 refuses its keys and nobody has consented, so its calls fail',
  'calls-fail': 'most of its calls fail',
  flagged: 'something differs from before its move',
  'consent-failed': 'somebody tried to consent, but it was not completed',
  'wave-stopped': 'its wave was stopped, so its invitation is held back',
  'mail-failed': 'its invitation could not be delivered',
  'no-address': 'it has no e-mail address, so nobody was invited',
  declined: 'the customer declined',
  expired: 'its invitation expired unused',
  withdrawn: 'its invitation was withdrawn',
  'no-answer': 'every reminder was sent, but nobody answered',
  unsubscribed: 'the customer unsubscribed from e-mail',
  'consent-unproved': 'somebody has approved, but nothing proves that the organisation is its own',
  'no-api-key': 'the bridge does not know its API key, so its calls are refused once it has moved',
  unlearned: 'some of its records have no known V1 number yet',
  'checks-fail': 'the checks before its move do not pass',
  'awaits-operator': 'its checks have passed; the operator decides when it moves',
} as const;
/** A key of `stuckReasons`. */
export type StuckReason = keyof typeof stuckReasons;

/** The next action, with the party that takes it: the bridge itself, the customer, or the operator. */
export const nextActions = {
  invite: { by: 'operator', words: 'invite the customer' },
  'invite-again': { by: 'operator', words: 'invite the customer again' },
  'add-address': { by: 'operator', words: 'give it a working e-mail address' },
  'decide-wave': { by: 'operator', words: 'resume its stopped wave, or remove it' },
  contact: { by: 'operator', words: 'speak to the customer' },
  'judge-consent': { by: 'operator', words: 'confirm or refuse the consent' },
  'give-api-key': { by: 'operator', words: 'give it its API key' },
  'import-numbers': { by: 'operator', words: 'bring in the missing numbers, or move it without them' },
  'accept-differences': { by: 'operator', words: 'accept what differs between V1 and V3, or resolve it' },
  cutover: { by: 'operator', words: 'move it' },
  'look-at-watch': { by: 'operator', words: 'look at what differs since its move, or dismiss it' },
  'look-at-calls': { by: 'operator', words: 'look at its recent calls' },
  'wave-invites': { by: 'bridge', words: 'its wave invites the customer' },
  remind: { by: 'bridge', words: 'a reminder is sent' },
  'send-mail': { by: 'bridge', words: 'the invitation is sent' },
  check: { by: 'bridge', words: 'the checks run again' },
  renew: { by: 'bridge', words: 'the tokens are renewed' },
  consent: { by: 'customer', words: 'the customer consents before the invitation expires' },
} as const;
/** A key of `nextActions`. */
export type NextAction = keyof typeof nextActions;

const keysOf = <Table extends object>(table: Table): [keyof Table & string, ...(keyof Table & string)[]] =>
  Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]];

/** All reasons, in order. */
export const stuckReasonNames = keysOf(stuckReasons);
/** All actions, in order. */
export const nextActionNames = keysOf(nextActions);
/** All states, in order. */
export const mailStateNames = keysOf(mailStates);
/** All needs, in order. */
export const inviteNeedNames = keysOf(inviteNeeds);
