import type { DriftUpstream } from './learning/observation.ts';
import type { DriftState } from './model.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    drift_forms: DriftFormRow;
    drift_alarms: DriftAlarmRow;
  }
}

/** One operation of the service, as one account is shown it. */
export interface DriftFormRow {
  account_id: string;
  upstream: DriftUpstream;
  method: string;
  operation: string;
  /** See `packedLearned`; names, types and counts, never values. */
  content: string;
  /** A list of `Departure` as JSON; empty: nothing differs. */
  departures: string | null;
  answers: number;
  last_at: number;
}

/** A change of the service's answers that several accounts were shown. No account is named in it. */
export interface DriftAlarmRow {
  id: string;
  /** What it is about, as JSON. */
  content: string;
  state: DriftState;
  since: number;
  raised_at: number;
  changed_at: number;
  /** Who has acknowledged it, and why. */
  by: string | null;
  reason: string | null;
}
