import type { AccountOrigin, Product, StageName } from '../features/accounts/account.ts';
import type { Source } from '../proxy/call.ts';
import type { DeliveryState, OutgoingEvent, Sent } from '../features/events/delivery.ts';
import type { WrittenDoubt } from '../tokens/deployment/deployment.ts';
import type { Grant, LossReason } from '../tokens/grant.ts';
import type { InvitationState } from '../features/accounts/invitation.ts';
import type { MessageKind, MessageState, Run, StopReason, Suppression } from '../features/campaign/outbox.ts';
import type { Lane } from '../mapping/routes/routes.ts';
import type { TokenScope } from '../features/admin/token.ts';

/** Moments are milliseconds since the epoch, flags 0 or 1: the same columns in both engines. */
export interface Tables {
  accounts: AccountRow;
  account_events: AccountEventRow;
  grants: GrantRow;
  grant_spares: GrantSpareRow;
  invitations: InvitationRow;
  consent_attempts: ConsentAttemptRow;
  consent_choices: ConsentChoiceRow;
  awaiting_consents: AwaitingConsentRow;
  token_revocations: TokenRevocationRow;
  account_api_keys: AccountApiKeyRow;
  crosswalk: CrosswalkRow;
  crosswalk_kinds: CrosswalkKindRow;
  crosswalk_unlearned: CrosswalkUnlearnedRow;
  account_details: AccountDetailsRow;
  campaign_runs: CampaignRunRow;
  outbox: OutboxRow;
  outbox_sending: OutboxSendingRow;
  suppressions: SuppressionRow;
  counters: CounterRow;
  stage_days: StageDayRow;
  recent_calls: RecentCallRow;
  call_hours: CallHourRow;
  console_tokens: ConsoleTokenRow;
  console_sessions: ConsoleSessionRow;
  audit: AuditTableRow;
  route_overrides: RouteOverrideRow;
  deliveries: DeliveryRow;
  delivery_attempts: DeliveryAttemptRow;
  settings: SettingRow;
  deployment: DeploymentRow;
  deployment_instances: DeploymentInstanceRow;
  jobs: JobRow;
  schema_version: SchemaVersionRow;
}

export interface AccountRow {
  id: string;
  name: string;
  product: Product;
  origin: AccountOrigin;
  created_at: number;
  stage: StageName;
  stage_since: number;
  last_call_at: number | null;
  account_key_index: string;
  account_key_sealed: string;
  api_key_index: string | null;
  api_key_sealed: string | null;
  grant_id: string | null;
  /** One organisation, one account: unique but for `awaiting-operator`. Empty unless there is a binding or a proposal. */
  organisation_id: string | null;
  organisation_name: string | null;
  lost_reason: LossReason | null;
}

export interface AccountEventRow {
  account_id: string;
  /** Order within the account; two events may share a millisecond. */
  position: number;
  at: number;
  kind: string;
  actor: string;
  detail: string;
  /** The place in the feed of all accounts; every line has one. */
  seq: number | null;
  /** Set where the line came with a change of stage; `from_stage` is empty at an account's beginning. */
  from_stage: StageName | null;
  to_stage: StageName | null;
}

export interface GrantRow {
  id: string;
  user_id: string;
  user_name: string | null;
  user_email: string | null;
  scope: string;
  created_at: number;
  renewed_at: number;
  state: Grant['state'];
  generation: number;
  access_token: string | null;
  access_expires_at: number | null;
  refresh_token: string | null;
  /** The intent: set while `unresolved`. */
  since: number | null;
  presentations: number;
  next_at: number | null;
  lost_reason: LossReason | null;
  lost_at: number | null;
  /** The lease, timed by the database's clock. The fence only ever grows. */
  fence: number;
  lease_holder: string | null;
  lease_until: number | null;
  /** The refresh token before the present one, while it may still be needed. */
  predecessor_token: string | null;
  predecessor_since: number | null;
  predecessor_presentations: number | null;
  confirm_at: number | null;
  /** A running instance saw this fence committed, and the row had a lower one: its token was presented already. */
  withheld_fence: number | null;
}

export interface GrantSpareRow {
  id: string;
  grant_id: string;
  parent_index: string;
  access_token: string;
  access_expires_at: number;
  refresh_token: string;
  arrived_at: number;
  expires_at: number;
}

export interface InvitationRow {
  id: string;
  account_id: string;
  link_index: string;
  state: InvitationState;
  state_since: number;
  issued_at: number;
  expires_at: number;
}

export interface ConsentAttemptRow {
  id: string;
  invitation_id: string;
  account_id: string;
  state_index: string;
  browser_index: string;
  verifier_sealed: string | null;
  started_at: number;
  expires_at: number;
}

/** A grant that nothing is bound to yet, and what a person is asked about it. */
export interface ConsentChoiceRow {
  id: string;
  invitation_id: string;
  account_id: string;
  grant_id: string;
  key_index: string;
  browser_index: string;
  /** JSON. */
  organisations: string;
  /** JSON. */
  companions: string;
  started_at: number;
  expires_at: number;
  /** Set when an answer came; the row stays until it has been carried out. */
  taken_at: number | null;
}

/** A consent that waits for the operator; of the account's stage while both name the same grant. */
export interface AwaitingConsentRow {
  account_id: string;
  grant_id: string;
  /** JSON. */
  findings: string;
  since: number;
}

/** Tokens that are to be given back at the authorisation server. */
export interface TokenRevocationRow {
  grant_id: string;
  account_id: string;
  since: number;
  attempts: number;
  next_at: number;
}

/** An API key under which V1 has answered for the account. The id is the owner of the sealing. */
export interface AccountApiKeyRow {
  id: string;
  account_id: string;
  key_index: string;
  key_sealed: string;
  seen_at: number;
}

export interface CrosswalkRow {
  account_id: string;
  kind: string;
  number: number;
  /** Lower case. */
  uuid: string;
  origin: 'learned' | 'allotted';
}

/** One row per account and kind; its lock orders everything that adds pairs. */
export interface CrosswalkKindRow {
  account_id: string;
  kind: string;
  complete: 0 | 1;
  /** The highest number ever allotted, so that none is used twice. */
  allotted_to: number;
}

export interface CrosswalkUnlearnedRow {
  account_id: string;
  kind: string;
  uuid: string;
  first_seen: number;
}

export interface CounterRow {
  name: string;
  value: number;
}

export interface StageDayRow extends Record<StageName, number> {
  /** Days since the epoch. */
  day: number;
}

export interface RecentCallRow {
  account_id: string;
  request_id: string;
  at: number;
  verb: string;
  method: string;
  source: Source;
  status: number;
  failed: 0 | 1;
  /** Microseconds. */
  micros: number;
  upstream_micros: number | null;
}

export interface CallHourRow {
  /** Its beginning. */
  hour: number;
  account_id: string;
  source: Source;
  calls: number;
  errors: number;
}

export interface ConsoleTokenRow {
  id: string;
  name: string;
  scope: TokenScope;
  token_index: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  expires_at: number | null;
}

export interface ConsoleSessionRow {
  session_index: string;
  token_id: string;
  csrf: string;
  created_at: number;
  seen_at: number;
}

export interface AuditTableRow {
  seq: number;
  at: number;
  who: string;
  action: string;
  /** A list in JSON. */
  account_ids: string;
  detail: string;
}

export interface RouteOverrideRow {
  method: string;
  account_id: string;
  route: Lane;
  at: number;
  actor: string;
}

export interface DeliveryRow {
  id: string;
  type: OutgoingEvent;
  account_id: string;
  payload: string;
  created_at: number;
  attempts: number;
  state: DeliveryState;
  next_at: number;
  note: string;
}

export interface DeliveryAttemptRow {
  delivery_id: string;
  /** From 1, over all schedules. */
  position: number;
  at: number;
  outcome: Sent['outcome'];
  note: string;
}

export interface SettingRow {
  name: string;
  value: string;
}

export interface SchemaVersionRow {
  version: number;
  applied_at: number;
}

/** At most one row for each account; none while nothing is known. */
export interface AccountDetailsRow {
  account_id: string;
  contact_name: string | null;
  email: string | null;
  /** `addressKey` of `email`. */
  email_key: string | null;
  language: string | null;
  /** The organisation that is expected; the one that is bound is in `accounts`. */
  organisation_id: string | null;
  organisation_name: string | null;
  notes: string | null;
}

export interface CampaignRunRow {
  account_id: string;
  cause: Run['cause'];
  began_at: number;
  reminders: number;
  state: Run['state'];
  /** While `running`. */
  next_at: number | null;
  /** While `stopped`. */
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
  /** Only until the message is sent or given up. */
  link_sealed: string | null;
  state: MessageState;
  queued_at: number;
  next_at: number;
  attempts: number;
  /** The last attempt. */
  claimed_at: number | null;
  /** While `sending`; timed by the database's clock. */
  lease_until: number | null;
  settled_at: number | null;
  reason: string | null;
}

/** One row, made with the table. */
export interface DeploymentRow {
  name: 'this';
  id: string;
  epoch: number;
  /** Where the database lay when it was last in use; empty before that, or where it cannot be told. */
  place: string | null;
  /** When the mark outside was first written. */
  marked_at: number | null;
  doubt: WrittenDoubt | null;
  doubted_at: number | null;
  /** The highest epoch that who wrote the doubt has seen. */
  seen_epoch: number | null;
  acknowledged_at: number | null;
}

/** A periodic job; its moments are by the database's clock. The fence grows whenever another instance takes it. */
export interface JobRow {
  name: string;
  holder: string | null;
  fence: number;
  lease_until: number;
  due_at: number;
}

/** A bridge that runs, while the database is on a server. */
export interface DeploymentInstanceRow {
  id: string;
  /** Its last sign of life, by the database's clock. */
  at: number;
  /** Where it has held the database against what it had seen before. */
  place: string | null;
}

/** One row, made by the first claim; its lock orders the claims of all processes. */
export interface OutboxSendingRow {
  name: 'smtp';
  errors: number;
  paused_until: number | null;
}

export interface SuppressionRow {
  /** `addressKey`. */
  address: string;
  reason: Suppression['reason'];
  detail: string;
  at: number;
}
