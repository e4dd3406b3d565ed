import type { AccountOrigin, StageName } from '../account.ts';
import type { InvitationState } from '../invitation.ts';
import type { LossReason } from '../../../tokens/grant.ts';
import type { Product } from '../../../upstream/organisation.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    accounts: AccountRow;
    account_events: AccountEventRow;
    invitations: InvitationRow;
    consent_attempts: ConsentAttemptRow;
    account_api_keys: AccountApiKeyRow;
    account_details: AccountDetailsRow;
    erased_keys: ErasedKeyRow;
    stage_days: StageDayRow;
  }
}

export interface AccountRow {
  id: string;
  application_id: string;
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
  /**
   * Unique per application, except for `awaiting-operator`: each organisation has one account. Empty without
   * a binding or a proposal.
   */
  organisation_id: string | null;
  organisation_name: string | null;
  lost_reason: LossReason | null;
  /** 1: V1's replies tell its programs when V1 ends. */
  notices: number | null;
  /** The period in which its reads are refused on purpose; both or neither. */
  brownout_from: number | null;
  brownout_to: number | null;
}

export interface AccountEventRow {
  account_id: string;
  /** Order within the account; two events may share a millisecond. */
  position: number;
  at: number;
  kind: string;
  actor: string;
  detail: string;
  /** Its place in the feed of all accounts; every entry has one. */
  seq: number | null;
  /** Set if the entry changed the stage; `from_stage` is empty when an account is created. */
  from_stage: StageName | null;
  to_stage: StageName | null;
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

/** An API key with which V1 has answered for the account. It is sealed for the row's id. */
export interface AccountApiKeyRow {
  id: string;
  account_id: string;
  key_index: string;
  key_sealed: string;
  seen_at: number;
}

/** The account key of an erased account; nothing else of it is kept. */
export interface ErasedKeyRow {
  key_index: string;
}

export interface StageDayRow extends Record<StageName, number> {
  /** Days since the epoch. */
  day: number;
}

/** At most one row per account; none without details. */
export interface AccountDetailsRow {
  account_id: string;
  contact_name: string | null;
  email: string | null;
  /** `addressKey` of `email`. */
  email_key: string | null;
  language: string | null;
  zone: string | null;
  phone: string | null;
  /** The expected organisation; the bound one is in `accounts`. */
  organisation_id: string | null;
  organisation_name: string | null;
  notes: string | null;
  /** Separated by spaces. */
  tags: string | null;
}
