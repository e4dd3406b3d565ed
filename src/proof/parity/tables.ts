declare module '../../db/tables.ts' {
  interface Tables {
    parity_runs: ParityRunRow;
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

/** A difference that somebody accepted. */
export interface ParityAcceptanceRow {
  /** `*`: for all accounts. */
  account_id: string;
  /** `DifferenceGroup.key` */
  difference: string;
  /** Void for a difference with another signature. */
  signature: string;
  name: string;
  reason: string;
  at: number;
}
