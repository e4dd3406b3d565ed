import type { MessageKind, MessageState, Run, StopReason, Suppression } from '../outbox.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    campaign_runs: CampaignRunRow;
    outbox: OutboxRow;
    outbox_sending: OutboxSendingRow;
    status_links: StatusLinkRow;
    suppressions: SuppressionRow;
  }
}

export interface CampaignRunRow {
  account_id: string;
  cause: Run['cause'];
  began_at: number;
  reminders: number;
  state: Run['state'];
  /** Set while `running`. */
  next_at: number | null;
  /** Set while `stopped`. */
  stop_reason: StopReason | null;
  stopped_at: number | null;
}

export interface OutboxRow {
  id: string;
  account_id: string;
  invitation_id: string;
  kind: MessageKind;
  to_address: string;
  /** `addressKey` of `to_address`. */
  to_key: string;
  message_id: string;
  reminder: number | null;
  /** Present only until the message is sent or given up. */
  link_sealed: string | null;
  state: MessageState;
  queued_at: number;
  next_at: number;
  attempts: number;
  /** Time of the last attempt. */
  claimed_at: number | null;
  /** Set while `sending`; by the database's clock. */
  lease_until: number | null;
  settled_at: number | null;
  reason: string | null;
}

/** A single row, created by the first claim; its lock orders the claims of all processes. */
export interface OutboxSendingRow {
  name: 'smtp';
  errors: number;
  paused_until: number | null;
}

/** The link in a message to the page of the account's connection. */
export interface StatusLinkRow {
  message_id: string;
  account_id: string;
  link_index: string;
  issued_at: number;
  expires_at: number;
  withdrawn_at: number | null;
}

export interface SuppressionRow {
  /** `addressKey`. */
  address: string;
  reason: Suppression['reason'];
  detail: string;
  at: number;
}
