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

/** An account that was sent with a wave; it belongs to one at most. */
export interface WaveAccountRow {
  account_id: string;
  wave: string;
  /** Empty: its customer has still to be invited. */
  invited_at: number | null;
  /** The order of inviting customers; empty: the wave was sent before there was one. */
  place: number | null;
  /** Why its customer could not be invited (`LeaveReason`); empty: the customer was invited, or has still to be. */
  left_reason: string | null;
}
