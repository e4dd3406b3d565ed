import type { ImportState } from '../model.ts';

declare module '../../../../db/tables.ts' {
  interface Tables {
    grant_imports: GrantImportRow;
    grant_exports: GrantExportRow;
  }
}

/** An imported refresh token; the token itself is in the grant of the same id. */
export interface GrantImportRow {
  id: string;
  account_id: string;
  /** Keyed hash of the token as imported; unique. */
  token_index: string;
  state: ImportState;
  reason: string | null;
  given: string | null;
  /** JSON. */
  organisations: string;
  who: string;
  started_at: number;
  since: number;
}

/** A copy of an exported grant for one account, sealed for the row's id. */
export interface GrantExportRow {
  id: string;
  account_id: string;
  grant_id: string;
  /** Name of the OAuth application that obtained the grant. */
  application_id: string;
  organisation_id: string;
  organisation_name: string;
  user_id: string;
  user_name: string | null;
  user_email: string | null;
  scope: string;
  generation: number;
  access_token: string;
  access_expires_at: number;
  refresh_token: string;
  exported_at: number;
  who: string;
  recipient: string;
}
