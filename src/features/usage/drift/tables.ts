import type { DriftUpstream } from './learning/observation.ts';
import type { DriftState } from './model.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    drift_forms: DriftFormRow;
    drift_alarms: DriftAlarmRow;
  }
}

/** One operation of the service, in the form that one account is shown. */
export interface DriftFormRow {
  account_id: string;
  upstream: DriftUpstream;
  method: string;
  operation: string;
  /** See `packedLearned`; names, types and counts, never values. */
  content: string;
  /** A list of `Departure` as JSON; empty if nothing differs. */
  departures: string | null;
  answers: number;
  last_at: number;
}

/** A change of the service's answers that several accounts were shown. It names no account. */
export interface DriftAlarmRow {
  id: string;
  /** The subject, as JSON. */
  content: string;
  state: DriftState;
  since: number;
  raised_at: number;
  changed_at: number;
  /** The operator who acknowledged it. */
  by: string | null;
  reason: string | null;
}
