import type { WaveState } from './model.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    waves: WaveRow;
    wave_accounts: WaveAccountRow;
  }
}

/** One wave. */
export interface WaveRow {
  name: string;
  position: number;
  query: string;
  most: number | null;
  start: string | null;
  hold_hours: number;
  most_errors: number;
  most_troubled: number;
  state: WaveState;
  since: number;
  reason: string;
}

/** An account that went out with a wave; it belongs to one at most. */
export interface WaveAccountRow {
  account_id: string;
  wave: string;
  /** Empty: its customer is still to be invited. */
  invited_at: number | null;
  /** Customers are invited in this order; empty: the wave went out before there was one. */
  place: number | null;
  /** Why its customer could not be invited (`LeaveReason`); empty: was, or is still to be. */
  left_reason: string | null;
}
