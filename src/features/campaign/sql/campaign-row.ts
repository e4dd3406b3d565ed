import type { NewMessage } from '../model.ts';
import { addressKey } from '../../accounts/details.ts';
import { isReport, type Message, type MessageFate, type Run, type Suppression } from '../outbox.ts';
import { present } from '../../../db/row.ts';
import type { CampaignRunRow, OutboxRow, SuppressionRow } from './tables.ts';

/** Throws `StoreFault` for a row that contradicts its state, which only a manual edit can cause. */
export function runOf(row: CampaignRunRow): Run {
  const facts = {
    accountId: row.account_id,
    cause: row.cause,
    beganAt: row.began_at,
    reminders: row.reminders,
  };
  switch (row.state) {
    case 'running':
      return { ...facts, state: 'running', nextAt: present(row.next_at, 'next_at of a run') };
    case 'stopped':
      return {
        ...facts,
        state: 'stopped',
        reason: present(row.stop_reason, 'stop_reason of a run'),
        at: present(row.stopped_at, 'stopped_at of a run'),
      };
  }
}

/** The row of a run. */
export const runRow = (run: Run): CampaignRunRow => ({
  account_id: run.accountId,
  cause: run.cause,
  began_at: run.beganAt,
  reminders: run.reminders,
  state: run.state,
  next_at: run.state === 'running' ? run.nextAt : null,
  stop_reason: run.state === 'stopped' ? run.reason : null,
  stopped_at: run.state === 'stopped' ? run.at : null,
});

function fateOf(row: OutboxRow, reason: string): MessageFate {
  switch (row.state) {
    case 'queued':
      return { state: 'queued', nextAt: row.next_at };
    case 'sending':
      return { state: 'sending', since: present(row.claimed_at, 'claimed_at of a message') };
    case 'failed':
      return { state: 'failed', nextAt: row.next_at, reason };
    case 'sent':
      return { state: 'sent', at: present(row.settled_at, 'settled_at of a message') };
    case 'refused':
    case 'unknown':
    case 'abandoned':
    case 'withdrawn':
      return { state: row.state, at: present(row.settled_at, 'settled_at of a message'), reason };
    // An unknown state, from a later version, counts as an end: nothing is sent again, and nothing waits for it.
    default:
      return laterFate(row, reason);
  }
}

const laterFate = ({ state, settled_at: settledAt, queued_at: queuedAt }: OutboxRow, reason: string) =>
  ({ state, at: settledAt ?? queuedAt, reason }) as MessageFate;

/** The message of a row, without its sealed link. */
export const messageOf = (
  row: OutboxRow & { readonly suppressed?: Suppression['reason'] | null; readonly held?: number },
): Message => ({
  id: row.id,
  accountId: row.account_id,
  invitationId: row.invitation_id,
  kind: row.kind,
  to: row.to_address,
  messageId: row.message_id,
  queuedAt: row.queued_at,
  attempts: row.attempts,
  reminder: row.reminder ?? undefined,
  fate: fateOf(row, row.reason ?? ''),
  ...(row.suppressed === 'refused' ? { isToDead: true } : {}),
  ...(row.held === 1 ? { isHeld: true } : {}),
});

/** A new message. `to_key` is the address in its comparable form, for the pace per address. */
export const firstMessageRow = (message: NewMessage, accountId: string, now: number): OutboxRow => ({
  id: message.id,
  account_id: accountId,
  invitation_id: message.invitationId,
  kind: message.kind,
  to_address: message.to,
  to_key: addressKey(message.to),
  message_id: message.messageId,
  reminder: message.reminder ?? null,
  link_sealed: message.linkSealed ?? null,
  state: 'queued',
  queued_at: now,
  next_at: message.dueAt ?? now,
  attempts: 0,
  claimed_at: null,
  lease_until: null,
  settled_at: null,
  reason: null,
});

/** The suppression of a row. */
export const suppressionOf = (row: SuppressionRow): Suppression => ({
  address: row.address,
  reason: row.reason,
  detail: row.detail,
  at: row.at,
});

/** The sealed link of a message that waits; reports had none in earlier releases. */
export const linkIn = ({ kind, link_sealed: link }: OutboxRow): string | undefined =>
  isReport(kind) ? (link ?? undefined) : present(link, 'link of a message that waits');
