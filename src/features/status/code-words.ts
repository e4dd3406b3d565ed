/**
 * Codes of tables and feeds as people read them: on pages, in the command line's tables, in the report. Programs get the
 * codes, people get the texts. Each list is typed by its codes, so that a new code does not compile without a text. A code
 * that another version wrote into the database is spelled out as it is.
 */
import { shownStage, type AccountOrigin, type ShownStage } from '../accounts/account.ts';
import type { ReportedAccount } from './model.ts';
import { grantEvents } from '../consent/grants/model.ts';
import { consentEvents, refusalWords } from '../consent/model.ts';
import type { DeliveryState, OutgoingEvent } from '../events/delivery.ts';
import { lossReasons, type Grant, type LossReason } from '../../tokens/grant.ts';
import { channelOf } from '../events/channel.ts';
import type { Message, MessageKind, MessageState, StopReason, Suppression } from '../campaign/outbox.ts';
import type { ApiVersion } from '../../mapping/routes/routes.ts';
import { canaryEvents, type Canary } from '../canary/canary.ts';
import { writeEvents } from '../writes/model.ts';
import { v1Events } from '../identifiers/learning.ts';
import { watchEvents } from '../cutover/watch/model.ts';
import { driftWords } from '../usage/drift/words.ts';
import type { CheckName } from '../cutover/checks.ts';

type Words<Code extends string> = Readonly<Record<Code, string>>;

/** For a code written by another version of the bridge. */
const spelledOut = (code: string): string => code.replaceAll(/[._-]/g, ' ');

/** The text of a code; one without is spelled out. */
export const wordsIn =
  (words: Words<string>) =>
  (code: string): string =>
    Object.hasOwn(words, code) ? (words[code] ?? code) : spelledOut(code);

/** What has one name in timeline, audit and events. */
export const sharedWords = {
  [canaryEvents.kept]: 'Route kept after its trial',
  [canaryEvents.returned]: 'Route taken back by its trial',
  [writeEvents.unknown]: 'Outcome of a write unknown',
  [writeEvents.settled]: 'Write settled',
  ...driftWords,
};

const stages: Words<ShownStage> = {
  // Whether V1 serves it is another question: it may refuse its keys, and a new customer was never there.
  legacy: 'Not moved',
  'awaiting-operator': 'Awaiting confirmation',
  consented: 'Consented, not moved',
  migrated: 'Migrated',
  lost: 'Lost',
  exported: 'Exported',
  closed: 'Closed',
};

/** The stage of an account, as a label; `reason`: why it is lost. */
export const stageWords = (stage: ShownStage, reason?: LossReason | null): string =>
  stages[stage === 'exported' ? stage : shownStage(stage, reason ?? undefined)];

/** Entries of an account's timeline. */
export const eventWords = wordsIn({
  added: 'Added',
  issued: 'Added, with new keys',
  discovered: 'Discovered by its first call',
  changed: 'Details changed',
  invited: 'Invited',
  reminded: 'Reminded',
  noticed: 'Notice to the contact',
  'notice.unsent': 'Contact not told',
  withdrawn: 'Invitation withdrawn',
  declined: 'Declined',
  unsubscribed: 'Unsubscribed',
  'mail.sent': 'E-mail sent',
  'mail.failed': 'E-mail not sent',
  'mail.refused': 'E-mail refused',
  'mail.bounced': 'E-mail came back',
  'wave.stopped': 'Its wave was stopped',
  talk: 'Talk',
  'mail.unknown': 'E-mail may have been sent',
  'mail.abandoned': 'E-mail given up',
  'mail.withdrawn': 'E-mail recalled',
  [consentEvents.asked]: 'Asked which organisation it is',
  [consentEvents.refused]: 'Returned without a connection',
  [consentEvents.connected]: 'Consented',
  [consentEvents.awaiting]: 'Approved without proof',
  [consentEvents.confirmed]: 'Consent confirmed',
  [consentEvents.refusedByOperator]: 'Consent refused',
  [consentEvents.disconnected]: 'Disconnected',
  [grantEvents.importing]: 'A token was brought along',
  [grantEvents.waiting]: 'The imported token waits for you',
  [grantEvents.refused]: 'The imported token was refused',
  [grantEvents.discarded]: 'The imported token was given up',
  [grantEvents.exported]: 'Exported',
  cutover: 'Move requested',
  'cutover.waiting': 'Not moved yet',
  'crosswalk.learned': 'Numbers learned',
  [v1Events.refused]: 'V1 refuses its keys',
  [v1Events.accepted]: 'V1 takes its keys again',
  migrated: 'Moved to V3',
  [watchEvents.flagged]: 'Something differs since the move',
  [watchEvents.cleared]: 'Nothing differs any more',
  [watchEvents.dismissed]: 'What differs was dismissed',
  lost: 'Connection lost',
  closed: 'Closed',
  ...sharedWords,
});

const losses: Words<LossReason> = {
  refused: 'the service refused to renew it',
  expired: 'it was not renewed in time',
  revoked: 'it was revoked',
  'no-offline-access': 'the service gave no refresh token',
  disconnected: 'it was disconnected',
  exported: 'it was exported: another program keeps its tokens now',
};

/** Why a consent ended. */
export const lossWords = (reason: LossReason): string => losses[reason];

/** The detail of a timeline entry: refusals and losses are stored as codes. */
export function detailWords(detail: string): string {
  const lost = lossReasons.find((reason) => detail === `the grant was lost: ${reason}`);
  return lost === undefined ? refusalWords(detail) : losses[lost];
}

const invitations: Words<ReportedAccount['invitation']['state']> = {
  none: 'not invited',
  unsent: 'not sent yet',
  issued: 'sent',
  opened: 'opened',
  accepted: 'accepted',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
};
/** The state of an account's last invitation. */
export const invitationStateWords = (state: ReportedAccount['invitation']['state']): string =>
  invitations[state];

const grants: Words<Grant['state']> = {
  held: 'in order',
  unresolved: 'a renewal is waiting for its answer',
  lost: 'lost',
};
/** The state of a consent's tokens; `reason`: why it is lost. */
export const grantStateWords = (state: Grant['state'], reason?: LossReason | null): string =>
  state === 'lost' && reason === 'exported' ? 'exported' : grants[state];

const origins: Words<AccountOrigin> = {
  added: 'added by an operator',
  discovered: 'by its first call',
  issued: 'added, with keys made by the bridge',
};
/** How the account got into the bridge. */
export const originWords = (origin: AccountOrigin): string => origins[origin];

const stops: Words<StopReason> = {
  consented: 'the customer has consented',
  declined: 'the customer declined',
  closed: 'the account was closed',
  withdrawn: 'the invitation was withdrawn',
  unsubscribed: 'the customer unsubscribed from e-mail',
  refused: 'the mail server refused the address',
  expired: 'the invitation expired',
  done: 'every reminder was sent',
};
/** Why an account gets no more e-mail. */
export const stopWords = (reason: StopReason): string => stops[reason];

const kinds: Words<MessageKind> = {
  invitation: 'Invitation',
  reminder: 'Reminder',
  lost: 'The connection was lost',
  'lost-reminder': 'Reminder about a lost connection',
  fresh: 'A new link',
  notice: 'Who has approved',
  receipt: 'Receipt for whoever approved',
};
/** The names of messages where people choose one. */
export const messageKindWords = (kind: MessageKind): string => kinds[kind];

const fates: Words<MessageState> = {
  queued: 'waiting',
  sending: 'is being sent',
  sent: 'sent',
  failed: 'not sent yet',
  refused: 'refused',
  unknown: 'may have been sent',
  abandoned: 'given up',
  withdrawn: 'recalled',
};
/** The state of a message. */
export const fateWords = (state: MessageState): string => fates[state];

/** What holds a message back that has not left: the account's wave was stopped. Undefined: nothing does. */
export const heldBackWords = (
  { kind, fate: { state } }: Pick<Message, 'kind' | 'fate'>,
  next: ReportedAccount['next'],
): string | undefined =>
  next?.action === 'decide-wave' && kind === 'invitation' && (state === 'queued' || state === 'failed')
    ? 'held back by its stopped wave'
    : undefined;

const suppressions: Words<Suppression['reason']> = {
  unsubscribed: 'its owner unsubscribed from e-mail',
  refused: 'the mail server refused it',
};
/** Why an address gets no e-mail. */
export const suppressionWords = (reason: Suppression['reason']): string => suppressions[reason];

const checks: Words<CheckName> = {
  token: 'Token',
  scopes: 'Scopes',
  organisation: 'Organisation',
  v3: 'V3 answers',
  readers: 'Two readers',
  v2: 'V2 answers',
  'api-key': 'API key',
  identifiers: 'Numbers',
  samples: 'Samples',
  parity: 'Same answers',
};
/** A check before the cut-over. */
export const checkWords = (name: CheckName): string => checks[name];

const trials: Words<NonNullable<Canary['outcome']> | 'running'> = {
  running: 'running',
  kept: 'kept',
  returned: 'taken back',
};
/** The state of a trial of a route; undefined: it is running. */
export const trialStateWords = (outcome: Canary['outcome']): string => trials[outcome ?? 'running'];

const apiVersions: Words<ApiVersion> = { v2: 'V2', v3: 'V3' };
/** An API version. */
export const apiVersionWords = (apiVersion: ApiVersion): string => apiVersions[apiVersion];

const deliveryStates: Words<DeliveryState> = {
  waiting: 'waiting',
  delivered: 'delivered',
  'given-up': 'given up',
};
/** Whether an event has reached the configured webhook. */
export const deliveryWords = (state: DeliveryState): string => deliveryStates[state];

const outgoing: Words<OutgoingEvent> = {
  'account.invited': 'Invited',
  'account.consented': 'Consented',
  'account.refused': 'Returned without a connection',
  'account.lost': 'Connection lost',
  'account.exported': 'Exported',
  'account.recovered': 'Connected again',
  'account.migrated': 'Moved to V3',
  'account.flagged': 'Something differs since the move',
  'account.unflagged': 'No longer flagged',
  'wave.stopped': 'A wave was stopped',
  'consent.awaiting': 'A consent is waiting for you',
  'consent.confirmed': 'Consent confirmed',
  'consent.refused': 'Consent refused',
  ...sharedWords,
  'write.unknown': 'Outcome of a write unknown',
  'write.settled': 'Write settled',
};
/** Where a delivery goes, by its id. */
export const channelWords = (id: string): string =>
  ({ evt: 'your address', slack: 'Slack', teams: 'Teams' })[channelOf(id)];
/** An event that is sent to the configured receivers. */
export const outgoingWords = (type: OutgoingEvent): string => outgoing[type];
