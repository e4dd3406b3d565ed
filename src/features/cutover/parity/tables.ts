declare module '../../../db/tables.ts' {
  interface Tables {
    parity_runs: ParityRunRow;
    parity_latest: ParityLatestRow;
    parity_acceptances: ParityAcceptanceRow;
  }
}

/** One comparison of an account. */
export interface ParityRunRow {
  account_id: string;
  at: number;
  /** A `Comparison` as JSON: counts, and differences without values. */
  content: string;
}

/** The newest comparison of an account, in short. */
export interface ParityLatestRow {
  /** The account's id, for which the examples are sealed. */
  id: string;
  account_id: string;
  at: number;
  /** A `ComparisonSummary` as JSON. */
  summary: string;
  /** The last scores as JSON, oldest first. */
  trend: string;
  /** Values of the differences; empty if none are kept, or no longer. */
  examples_sealed: string | null;
  examples_until: number | null;
}

/** A difference that somebody accepted. */
export interface ParityAcceptanceRow {
  /** `*`: for all accounts. */
  account_id: string;
  /** `DifferenceGroup.key` */
  difference: string;
  /** An acceptance does not apply to a difference with another signature. */
  signature: string;
  name: string;
  reason: string;
  at: number;
}
