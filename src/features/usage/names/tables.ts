declare module '../../../db/tables.ts' {
  interface Tables {
    used_names: UsedNamesRow;
    usage_accounts: UsageAccountRow;
    usage_programs: UsageProgramRow;
  }
}

/** What the programs of one account used within a week. */
export interface UsedNamesRow {
  account_id: string;
  /** Weeks since the epoch. */
  week: number;
  /** See `packedUse`. */
  content: string;
}

export interface UsageAccountRow {
  account_id: string;
  /** 1: nothing is counted for the account. */
  off: 0 | 1;
  /** What was counted before is not written any more. */
  forgotten_at: number | null;
  /** Increases with everything that is added to its weeks. */
  version: number;
  /** From which version and which mapping `readiness` was worked out, and when. */
  judged_version: number | null;
  judged_at: number | null;
  judged_by: string | null;
  /** A `Readiness` as JSON. */
  readiness: string | null;
  /** A `Verdict` as JSON. */
  verdict: string | null;
}

/** A name that an operator gave to a program. */
export interface UsageProgramRow {
  account_id: string;
  program: string;
  name: string;
  at: number;
  actor: string;
}
