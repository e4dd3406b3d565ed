import type { ApiVersion } from '../../mapping/routes/routes.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    route_canaries: CanaryRow;
  }
}

/** A route that is tried on one account; the trial is running while `outcome` is null. */
export interface CanaryRow {
  account_id: string;
  /** A JSON list. */
  methods: string;
  route: ApiVersion;
  /** A JSON object: for each method, the account's own route before the trial, or null. */
  before: string;
  /** Calls of these methods before the trial, and how many of them failed. */
  calls_before: number;
  failed_before: number;
  begun_at: number;
  until: number;
  calls: number;
  failed: number;
  /** Calls that lost part of their data. */
  lost: number;
  outcome: 'kept' | 'returned' | 'ended' | null;
  /** Text for people. */
  reason: string | null;
}
