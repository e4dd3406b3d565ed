import type { TokenScope } from '../tokens/token.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    console_tokens: ConsoleTokenRow;
    console_sessions: ConsoleSessionRow;
    audit: AuditTableRow;
    console_results: ConsoleResultRow;
  }
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
  /** The person's subject at the OpenID provider; null: a token. */
  subject: string | null;
}

export interface ConsoleSessionRow {
  session_index: string;
  token_id: string;
  csrf: string;
  created_at: number;
  seen_at: number;
  /** Ends at this time even if it is active. */
  ends_at: number | null;
}

/** The result of a form; kept for an hour. */
export interface ConsoleResultRow {
  id: string;
  token_id: string;
  kept_at: number;
  content_sealed: string;
}

export interface AuditTableRow {
  seq: number;
  at: number;
  who: string;
  action: string;
  /** A JSON list. */
  account_ids: string;
  detail: string;
}
