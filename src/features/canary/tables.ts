import type { ApiVersion } from '../../mapping/routes/routes.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    route_canaries: CanaryRow;
  }
}

/** A route that is tried on one account: under way while `outcome` is null. */
export interface CanaryRow {
  account_id: string;
  /** A JSON list. */
  methods: string;
  route: ApiVersion;
  /** A JSON object: the account's own route of each method before; null where it had none. */
  before: string;
  /** Calls of these methods before it, and how many of them failed. */
  calls_before: number;
  failed_before: number;
  begun_at: number;
  until: number;
  calls: number;
  failed: number;
  /** Calls that lost something. */
  lost: number;
  outcome: 'kept' | 'returned' | null;
  /** Words for people. */
  reason: string | null;
}
