declare module '../../../db/tables.ts' {
  interface Tables {
    consent_choices: ConsentChoiceRow;
    awaiting_consents: AwaitingConsentRow;
    token_revocations: TokenRevocationRow;
  }
}

/** A grant that is not bound yet, and the question about it. */
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

/** A consent that waits for the operator; valid while the account's row names the same grant. */
export interface AwaitingConsentRow {
  account_id: string;
  grant_id: string;
  /** JSON. */
  findings: string;
  since: number;
}

/** Tokens to be revoked at the authorisation server. */
export interface TokenRevocationRow {
  grant_id: string;
  account_id: string;
  since: number;
  attempts: number;
  next_at: number;
}
