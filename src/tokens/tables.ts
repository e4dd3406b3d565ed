import type { Grant, LossReason } from './grant.ts';

declare module '../db/tables.ts' {
  interface Tables {
    grants: GrantRow;
    grant_spares: LatePairRow;
  }
}

/**
 * A grant; times by the process's clock, except `lease_until` by the database's. Tokens are sealed with the
 * grant's id.
 */
export interface GrantRow {
  id: string;
  application_id: string;
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
  /** The lease, by the database's clock. The fence only ever increases. */
  fence: number;
  lease_holder: string | null;
  lease_until: number | null;
  /** The refresh token before the current one, while it may still be needed. */
  predecessor_token: string | null;
  predecessor_since: number | null;
  predecessor_presentations: number | null;
  confirm_at: number | null;
  /**
   * A running instance saw this fence committed, and the row had a lower one: its token has already been
   * presented.
   */
  withheld_fence: number | null;
}

/** A pair that came after its lease was lost; kept for a while, because it may be the only valid one. */
export interface LatePairRow {
  id: string;
  grant_id: string;
  parent_index: string;
  access_token: string;
  access_expires_at: number;
  refresh_token: string;
  arrived_at: number;
  expires_at: number;
}
