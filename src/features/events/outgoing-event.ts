import { authorOf, type Account } from '../accounts/account.ts';
import type { Organisation } from '../../upstream/organisation.ts';
import { grantEvents } from '../consent/grants/model.ts';
import { consentEvents, consentRefusals } from '../consent/model.ts';
import { deliveryId } from './channel.ts';
import type { NewDelivery, OutgoingEvent } from './delivery.ts';
import { canaryEvents, readEnding } from '../canary/canary.ts';
import { WAVE_STOPPED } from '../campaign/waves/model.ts';
import { watchEvents } from '../cutover/watch/model.ts';
import { driftEvents } from '../usage/drift/model.ts';
import { settlements, writeEvents } from '../writes/model.ts';
import { lossReasons } from '../../tokens/grant.ts';
import type { FeedEvent } from '../accounts/history.ts';

/** The content of an event: its type, and its data. */
export interface Told {
  readonly type: OutgoingEvent;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The event to send for one feed entry; undefined if the entry sends none. */
export function outgoing(event: FeedEvent, account: Account): NewDelivery | undefined {
  const told = tellingOf(event, account);
  if (told === undefined) return undefined;
  const id = deliveryId('evt', event);
  const { name, product } = account;
  const payload = JSON.stringify({
    id,
    type: told.type,
    at: new Date(event.at).toISOString(),
    account: { id: account.id, name, product },
    data: told.data,
  });
  return { id, type: told.type, accountId: account.id, payload, createdAt: event.at };
}

/** The event's content for an entry; undefined: the entry sends no event. */
export function tellingOf(
  { kind, actor, detail, transition }: FeedEvent,
  { life }: Account,
): Told | undefined {
  const organisation = 'binding' in life ? life.binding.organisation : null;
  const by = authorOf(actor);
  switch (kind) {
    case 'invited':
      return { type: 'account.invited', data: { by } };
    case consentEvents.connected:
      return {
        type: transition?.from === 'lost' ? 'account.recovered' : 'account.consented',
        data: { organisation },
      };
    case consentEvents.awaiting:
      return { type: 'consent.awaiting', data: { organisation: proposalOf(life) } };
    case consentEvents.confirmed:
      return { type: 'consent.confirmed', data: { organisation, by } };
    case consentEvents.refusedByOperator:
      return { type: 'consent.refused', data: { by } };
    case consentEvents.refused:
      return { type: 'account.refused', data: refusalOf(detail) };
    case 'lost':
      return transition && { type: 'account.lost', data: { reason: lossOf(detail) } };
    case grantEvents.exported:
      return { type: 'account.exported', data: { by, recipient: recipientIn(detail) } };
    case 'migrated':
      return transition && { type: 'account.migrated', data: { organisation, by } };
    case canaryEvents.kept:
    case canaryEvents.returned:
      return { type: kind, data: { ...readEnding(detail) } };
    case writeEvents.unknown:
      return { type: 'write.unknown', data: writeIn(detail) };
    case writeEvents.settled:
      return { type: 'write.settled', data: { ...writeIn(detail), ...settlementIn(detail), by } };
    default:
      return flagging(kind, by, detail);
  }
}

/** The flag of an account that has moved; undefined: the entry has another subject. */
function flagging(kind: string, by: string, detail: string): Told | undefined {
  if (kind === watchEvents.flagged) return { type: 'account.flagged', data: { findings: detail } };
  if (kind === watchEvents.cleared) return { type: 'account.unflagged', data: { by, reason: null } };
  if (kind === WAVE_STOPPED) return { type: kind, data: { reason: detail } };
  if (kind === driftEvents.raised) return { type: kind, data: { words: detail } };
  if (kind === driftEvents.ended) return { type: kind, data: { by: null, words: detail } };
  if (kind === driftEvents.acknowledged) return { type: driftEvents.ended, data: { by, words: detail } };
  if (kind === watchEvents.dismissed) return { type: 'account.unflagged', data: { by, reason: detail } };
  return undefined;
}

/** The detail is `method id` and, if it was settled, ` (what was done)` of several steps and `: settlement[, number]`. */
function writeIn(detail: string): Told['data'] {
  const [method = null, id = null] = (detail.split(':')[0] ?? '').split(' ');
  return { write: id, method };
}

function settlementIn(detail: string): Told['data'] {
  const [word, number = null] = detail.slice(detail.indexOf(': ') + 2).split(', ');
  const done = /^\S+ \S+ \((?:done in part; )?(.*)\): /.exec(detail)?.[1];
  return { settlement: settlements.find((one) => one === word) ?? null, number, ...(done && { done }) };
}

/** The detail ends with the fingerprint of the recipient's public key. */
const recipientIn = (detail: string): string | null => /to the key (\S+)$/.exec(detail)?.[1] ?? null;

/** Undefined if the operator was faster than the feed. */
const proposalOf = (life: Account['life']): Organisation | null =>
  life.stage === 'awaiting-operator' ? life.proposal.organisation : null;

const refusalOf = (reason: string): Told['data'] => ({
  reason,
  words: Object.entries(consentRefusals).find(([name]) => name === reason)?.[1] ?? null,
});

/** The detail ends with the reason. */
const lossOf = (detail: string): string | null =>
  lossReasons.find((reason) => detail.endsWith(`: ${reason}`)) ?? null;
