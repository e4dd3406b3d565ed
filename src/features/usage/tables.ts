import type { Source } from '../../lib/failure.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    recent_calls: RecentCallRow;
    call_hours: CallHourRow;
  }
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
  /** In microseconds. */
  micros: number;
  upstream_micros: number | null;
}

export interface CallHourRow {
  /** Start of the hour. */
  hour: number;
  account_id: string;
  source: Source;
  calls: number;
  errors: number;
}
