import type { Account } from '../../accounts/account.ts';
import type { MessageKind } from '../../campaign/outbox.ts';
import type { OverridableName } from '../../cutover/override.ts';
import { inviteNeeds, type InviteNeed } from '../../status/codes.ts';
import { stageWords } from '../../status/code-words.ts';
import type { SkippedReason } from '../../status/report/skipped.ts';
import { leaveWords, type LeaveReason } from '../../campaign/asking/leave-reason.ts';

/** The operator's actions on several accounts at a time. */
export const actionNames = [
  'invite',
  'remind',
  'withdraw',
  'tag',
  'untag',
  'notices-on',
  'notices-off',
  'confirm',
  'refuse',
  'cutover',
  'accept-numbers',
  'disconnect',
  'close',
] as const;
export type ActionName = (typeof actionNames)[number];

type Simple = Exclude<ActionName, 'invite' | 'cutover' | 'confirm' | 'refuse' | 'tag' | 'untag'>;

/** An operator's request to move accounts. */
export interface MoveRequest {
  /** Records with unknown numbers get new ones; legacy programs will take them for new records. */
  readonly acceptUnlearned: boolean;
  /** Checks that the operator overrides. */
  readonly despite?: readonly OverridableName[] | undefined;
}

/** One action with its parameters. */
export type AdminAction =
  | { [Name in Simple]: { readonly action: Name } }[Simple]
  | {
      readonly action: 'invite';
      /** Not before this time (`2026-11-30T09:00`) on the clock of each customer's zone. Undefined: at once. */
      readonly start?: string | undefined;
      /**
       * The filters that chose the accounts, as a query: those that only somebody who means them should invite are left
       * alone. Undefined: each account is meant by itself.
       */
      readonly chosenBy?: string | undefined;
    }
  | {
      readonly action: 'tag' | 'untag';
      /** Separated by spaces or commas. */
      readonly tags: string;
    }
  | {
      readonly action: 'confirm' | 'refuse';
      /** Ids of the consents that the operator saw: a later one is left alone. Undefined: any. */
      readonly consents?: readonly string[] | undefined;
    }
  | ({ readonly action: 'cutover' } & MoveRequest);

/**
 * The name of each action, and how many accounts it accepts at once: few where the service is called for each, or where
 * nothing brings the account back.
 */
export const actions: Readonly<
  Record<ActionName, { readonly words: string; readonly done: string; readonly most: number }>
> = {
  invite: { words: 'Invite', done: 'invited', most: 1_000 },
  remind: { words: 'Remind', done: 'reminded', most: 1_000 },
  withdraw: { words: 'Withdraw the invitation', done: 'withdrawn', most: 1_000 },
  tag: { words: 'Add tags', done: 'tagged', most: 1_000 },
  untag: { words: 'Remove tags', done: 'untagged', most: 1_000 },
  'notices-on': { words: 'Tell programs when V1 ends', done: 'switched on', most: 1_000 },
  'notices-off': { words: 'Stop telling programs when V1 ends', done: 'switched off', most: 1_000 },
  confirm: { words: 'Confirm the consent', done: 'confirmed', most: 1_000 },
  refuse: { words: 'Refuse the consent', done: 'refused', most: 1_000 },
  cutover: { words: 'Cut over', done: 'moved', most: 20 },
  'accept-numbers': { words: 'Accept new numbers', done: 'with new numbers', most: 20 },
  disconnect: { words: 'Disconnect', done: 'disconnected', most: 20 },
  close: { words: 'Close', done: 'closed', most: 20 },
};

/** Why an action leaves an account unchanged: a short, stable list. */
export const leftWords = {
  ...leaveWords,
  unknown: 'there is no such account',
  noAddress: `${leaveWords.noAddress}; add one, or pass on a link yourself`,
  refused: `${leaveWords.refused}; change it, or enter it again to retry`,
  underWay: `${leaveWords.underWay}; send a reminder instead`,
  withdrawn: `${leaveWords.withdrawn}; invite it again`,
  awaiting: `${leaveWords.awaiting}; confirm or refuse the consent first`,
  declined: 'its customer declined; to invite it anyway, select it individually or by its next step',
  everyReminder:
    'its customer has had every reminder; to invite it anyway, select it individually or by its next step',
  linkMade:
    'a link was made for its customer; to invite it anyway, select it individually or by its next step',
  inWave: 'it is in a wave; to invite it anyway, select it individually or by its wave',
  noMail: 'no mail server is configured; pass on a link yourself',
  noV3: 'V3 is not configured: this bridge only passes calls through to V1',
  notAwaiting: 'none of its consents waits for you',
  otherConsent: 'its consent has changed or been decided since you loaded it; load it again',
  organisationTaken: 'the organisation is already connected to another account',
  tagged: 'nothing would change: its tags are already as requested',
  noticed: 'nothing would change',
  notConsented: 'only an account whose customer has consented and that has not moved yet can be cut over',
  notMoved: 'it has not moved yet; a cut-over can accept new numbers with the move',
  notConnected: 'it is not connected',
  // In results that earlier versions have stored.
  notRevoked:
    'the service did not accept the revocation, or its tokens are being renewed; try again in a minute',
  checks: 'a check before the move has failed',
} as const satisfies Readonly<Record<LeaveReason | SkippedReason, string>> & Readonly<Record<string, string>>;
/** A key of `leftWords`, which has the texts. */
export type LeftReason = keyof typeof leftWords;

/** A warning for an invitation that should wait. */
export const unreadyWords = (lacks: readonly InviteNeed[]): string =>
  `not ready to be invited: ${lacks.map((need) => inviteNeeds[need]).join('; ')}`;

/** A warning for an invitation to somebody who was chosen one by one. */
export const skippedCautions: Readonly<Record<SkippedReason, string>> = {
  declined: 'its customer declined',
  everyReminder: 'its customer has had every reminder',
  linkMade: 'a link was made for its customer; this sends another one by e-mail',
  inWave: 'it is in a wave; this invites it separately',
};

const judged = 'the account will belong to this organisation; once it has moved, this cannot be changed';
const closed = 'this cannot be undone; calls of its programs are refused from then on';

const cautions: Readonly<Partial<Record<ActionName, (account: Account) => string>>> = {
  cutover: () => 'there is no way back to V1',
  close: ({ life }) => (life.stage === 'legacy' ? closed : `${closed}, and its consent is no longer used`),
  disconnect: ({ life }) =>
    life.stage === 'migrated'
      ? 'its programs get an error (403) for every call from then on, because an account that has moved never returns to V1; its customer’s approval no longer counts, and no e-mail is sent: invite the customer, who must approve again'
      : 'its programs continue on V1, as long as V1 serves them, and it does not move; its customer’s approval no longer counts, and no e-mail is sent: invite the customer, who must approve again',
  confirm: () => judged,
  refuse: () =>
    'the tokens are revoked, unless other connections rest on the same person’s approval; an e-mail with a new link tells the contact, if one may be sent, because the customer must approve again',
  withdraw: () => 'the links the customer has received stop working',
};

/** The stage of an account, by the name that the console has for it. */
export const stageNow = ({ life }: Account): string =>
  `now: ${stageWords(life.stage, life.stage === 'lost' ? life.reason : undefined)}`;

/** A warning about an irreversible effect or a cost. */
export const cautionOf = ({ action }: AdminAction, account: Account): string | undefined =>
  cautions[action]?.(account);

/** The parameters of all actions; each action takes those it needs. */
export interface ActionParameters extends MoveRequest {
  readonly consents?: readonly string[] | undefined;
  readonly tags: string;
  readonly start?: string | undefined;
  readonly chosenBy?: string | undefined;
}

/** The action of this name; undefined if there is none. */
export function actionFrom(
  name: string | null | undefined,
  given: ActionParameters,
): AdminAction | undefined {
  const { acceptUnlearned, despite, consents, tags, start, chosenBy } = given;
  const action = actionNames.find((one) => one === name);
  if (action === undefined) return undefined;
  if (action === 'invite') return { action, start, chosenBy };
  if (action === 'cutover') return { action, acceptUnlearned, despite };
  if (action === 'confirm' || action === 'refuse') return { action, consents };
  return action === 'tag' || action === 'untag' ? { action, tags } : { action };
}

const messages: Readonly<Record<MessageKind, string>> = {
  invitation: 'an invitation',
  reminder: 'a reminder',
  lost: 'a message about the lost connection',
  'lost-reminder': 'a reminder about the lost connection',
  fresh: 'a new link',
  unconfirmed: 'a message that the approval was refused',
  notice: 'a notice of who approved',
  receipt: 'a receipt for the person who approved',
  disconnected: 'a notice that the connection was ended',
};

/** A message in words: its kind and its recipient. */
export const messageWords = (kind: MessageKind, to: string): string => `${messages[kind]} to ${to}`;
