/**
 * Labels for the codes of tables and feeds, for pages, the command line's tables and the report. Programs get the
 * codes, people get the texts. Each list is typed by its codes, so that a new code without a text does not compile. A
 * code that another version wrote into the database is shown as it is.
 */
import { wordsIn } from '../../lib/text/code.ts';
import { shownStage, type AccountOrigin, type ShownStage } from '../accounts/account.ts';
import type { ReportedAccount } from './model.ts';
import { grantEvents, type ImportState } from '../consent/grants/model.ts';
import { consentEvents, refusalWords } from '../consent/model.ts';
import type { DeliveryState, OutgoingEvent } from '../events/delivery.ts';
import { lossReasons, type Grant, type LossReason } from '../../tokens/grant.ts';
import { channelOf } from '../events/channel.ts';
import type { WaveState } from '../campaign/waves/model.ts';
import type { Message, MessageKind, MessageState, StopReason, Suppression } from '../campaign/outbox.ts';
import type { ApiVersion } from '../../mapping/routes/routes.ts';
import { canaryEvents, type Canary } from '../canary/canary.ts';
import { writeEvents } from '../writes/model.ts';
import { numberEvents, v1Events } from '../identifiers/learning.ts';
import { watchEvents } from '../cutover/watch/model.ts';
import { driftWords } from '../usage/drift/words.ts';
import type { CheckName } from '../cutover/checks.ts';

/** Entries that timeline, audit and events name alike. */
export const sharedWords = {
  [canaryEvents.kept]: 'Route kept after its trial',
  [canaryEvents.returned]: 'Route taken back after its trial',
  [canaryEvents.ended]: 'Trial of a route ended',
  [writeEvents.unknown]: 'Outcome of a write unknown',
  [writeEvents.settled]: 'Write settled',
  ...driftWords,
};

const stages = wordsIn<ShownStage>({
  // The label does not say whether V1 serves it: V1 may refuse its keys, and a new customer was never there.
  legacy: 'Not moved',
  'awaiting-operator': 'Awaiting confirmation',
  consented: 'Consented, not moved',
  migrated: 'Migrated',
  lost: 'Lost',
  exported: 'Exported',
  closed: 'Closed',
});

/** The stage of an account, as a label; `reason`: why it is lost. */
export const stageWords = (stage: ShownStage, reason?: LossReason | null): string =>
  stages(stage === 'exported' ? stage : shownStage(stage, reason ?? undefined));

/** Entries of an account's timeline. */
export const eventWords = wordsIn<string>({
  added: 'Added',
  issued: 'Added, with new keys',
  discovered: 'Discovered by its first call',
  changed: 'Details changed',
  invited: 'Invited',
  reminded: 'Reminded',
  noticed: 'Notice to the contact',
  'notice.unsent': 'Contact not notified',
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
  [consentEvents.elsewhere]: 'Approved with the link of another account',
  [consentEvents.foreign]: 'Organisation of another account approved',
  [consentEvents.unproved]: 'Another organisation approved, without proof',
  [consentEvents.later]: 'Asked to consent later',
  [consentEvents.unread]: 'Went to consent without V1',
  [grantEvents.importing]: 'Import of a token begun',
  [grantEvents.waiting]: 'The imported token is waiting for you',
  [grantEvents.refused]: 'The imported token was refused',
  [grantEvents.discarded]: 'The imported token was discarded',
  [grantEvents.exported]: 'Exported',
  cutover: 'Move requested',
  'cutover.waiting': 'Not moved yet',
  'crosswalk.learned': 'Numbers learned',
  'crosswalk.contradicted': 'V1 contradicts known numbers',
  'crosswalk.agreed': 'V1 contradicts no number any more',
  [numberEvents.requested]: 'New numbers accepted',
  [numberEvents.given]: 'New numbers from now on',
  [numberEvents.unread]: 'V1 could not be read after the move',
  [numberEvents.read]: 'Last numbers from V1',
  [numberEvents.missed]: 'Last numbers from V1',
  [v1Events.refused]: 'V1 refuses its keys',
  [v1Events.accepted]: 'V1 accepts its keys again',
  migrated: 'Moved to V3',
  [watchEvents.flagged]: 'Something has changed since the move',
  [watchEvents.cleared]: 'Everything is as before the move again',
  [watchEvents.dismissed]: 'Changes since the move dismissed',
  lost: 'Connection lost',
  closed: 'Closed',
  ...sharedWords,
});

/** Why a consent ended. */
export const lossWords = wordsIn<LossReason>({
  refused: 'the service refused to renew it',
  expired: 'it was not renewed in time',
  revoked: 'it was revoked',
  'no-offline-access': 'the service gave no refresh token',
  disconnected: 'it was disconnected',
  exported: 'it was exported: another program now holds its tokens',
});

/** The detail of a timeline entry: refusals and losses are stored as codes. */
export function detailWords(detail: string): string {
  const lost = lossReasons.find((reason) => detail === `the grant was lost: ${reason}`);
  return lost === undefined ? refusalWords(detail) : lossWords(lost);
}

/** The state of an account's last invitation. */
export const invitationStateWords = wordsIn<ReportedAccount['invitation']['state']>({
  none: 'not invited',
  unsent: 'not sent yet',
  issued: 'sent',
  opened: 'opened',
  accepted: 'accepted',
  declined: 'declined',
  expired: 'expired',
  withdrawn: 'withdrawn',
});

const grants = wordsIn<Grant['state']>({
  held: 'in order',
  unresolved: 'a renewal is waiting for an answer',
  lost: 'lost',
});
/** The state of a consent's tokens; `reason`: why it is lost. */
export const grantStateWords = (state: Grant['state'], reason?: LossReason | null): string =>
  state === 'lost' && reason === 'exported' ? 'exported' : grants(state);

/** How the account got into the bridge. */
export const originWords = wordsIn<AccountOrigin>({
  added: 'added by an operator',
  discovered: 'by its first call',
  issued: 'added, with keys generated by the bridge',
});

/** Why an account gets no more e-mail. */
export const stopWords = wordsIn<StopReason>({
  consented: 'the customer has consented',
  declined: 'the customer declined',
  closed: 'the account was closed',
  withdrawn: 'the invitation was withdrawn',
  unsubscribed: 'the customer unsubscribed from e-mail',
  refused: 'the mail server refused the address',
  expired: 'the invitation expired',
  done: 'every reminder was sent',
});

/** The names of messages where people choose one. */
export const messageKindWords = wordsIn<MessageKind>({
  invitation: 'Invitation',
  reminder: 'Reminder',
  lost: 'The connection was lost',
  'lost-reminder': 'Reminder about a lost connection',
  fresh: 'A new link',
  unconfirmed: 'The approval was refused',
  notice: 'Who approved',
  receipt: 'Receipt for the person who approved',
  disconnected: 'Who approved has ended the connection',
});

/** The state of a message. */
export const fateWords = wordsIn<MessageState>({
  queued: 'waiting',
  sending: 'is being sent',
  sent: 'sent',
  failed: 'not sent yet',
  refused: 'refused',
  unknown: 'may have been sent',
  abandoned: 'given up',
  withdrawn: 'recalled',
});

/** Why a message that has not left is held back: the account's wave was stopped. Undefined: it is not held back. */
export const heldBackWords = (
  { kind, fate: { state } }: Pick<Message, 'kind' | 'fate'>,
  next: ReportedAccount['next'],
): string | undefined =>
  next?.action === 'decide-wave' && kind === 'invitation' && (state === 'queued' || state === 'failed')
    ? 'held back by its stopped wave'
    : undefined;

/** The state of a wave. */
export const waveStateWords = wordsIn<WaveState>({
  planned: 'planned',
  sent: 'out',
  good: 'good',
  stopped: 'stopped',
});

/** The state of an imported token. */
export const importStateWords = wordsIn<ImportState>({
  importing: 'in progress',
  waiting: 'waits for you',
  granted: 'connected',
  refused: 'refused',
});

/** Why an address gets no e-mail. */
export const suppressionWords = wordsIn<Suppression['reason']>({
  unsubscribed: 'its customer unsubscribed from e-mail',
  refused: 'the mail server refused it',
});

/** A check before the cut-over. */
export const checkWords = wordsIn<CheckName>({
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
});

const trials = wordsIn<NonNullable<Canary['outcome']> | 'running' | 'unproved'>({
  running: 'running',
  kept: 'kept',
  returned: 'taken back',
  ended: 'ended',
  unproved: 'kept untried',
});
/** The state of a trial of a route. */
export const trialStateWords = ({ outcome, counts }: Pick<Canary, 'outcome' | 'counts'>): string =>
  trials(outcome === 'kept' && counts.calls === 0 ? 'unproved' : (outcome ?? 'running'));

/** An API version. */
export const apiVersionWords = wordsIn<ApiVersion>({ v2: 'V2', v3: 'V3' });

/** The state of an event's delivery to the configured webhook. */
export const deliveryWords = wordsIn<DeliveryState>({
  waiting: 'waiting',
  delivered: 'delivered',
  'given-up': 'given up',
});

/** The channel that a delivery goes to, by the delivery's id. */
export const channelWords = (id: string): string =>
  ({ evt: 'your address', slack: 'Slack', teams: 'Teams' })[channelOf(id)];
/** An event that is sent to the configured receivers. */
export const outgoingWords = wordsIn<OutgoingEvent>({
  'account.invited': 'Invited',
  'account.consented': 'Consented',
  'account.refused': 'Returned without a connection',
  'account.lost': 'Connection lost',
  'account.exported': 'Exported',
  'account.recovered': 'Connected again',
  'account.migrated': 'Moved to V3',
  'account.flagged': 'Something has changed since the move',
  'account.unflagged': 'No longer flagged',
  'wave.stopped': 'A wave was stopped',
  'consent.awaiting': 'A consent is waiting for you',
  'consent.confirmed': 'Consent confirmed',
  'consent.refused': 'Consent refused',
  ...sharedWords,
  'write.unknown': 'Outcome of a write unknown',
  'write.settled': 'Write settled',
});
