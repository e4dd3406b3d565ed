declare module '../../../db/tables.ts' {
  interface Tables {
    used_names: UsedNamesRow;
    usage_accounts: UsageAccountRow;
    usage_programs: UsageProgramRow;
  }
}

/** The names that the programs of one account used within a week. */
export interface UsedNamesRow {
  account_id: string;
  /** Weeks since the epoch. */
  week: number;
  /** See `packedUse`. */
  content: string;
}

export interface UsageAccountRow {
  account_id: string;
  /** 1: the account's calls are not counted. */
  off: 0 | 1;
  /** Counts made before this time are no longer written. */
  forgotten_at: number | null;
  /** Increases with every addition to its weeks. */
  version: number;
  /** The version and the mapping from which `readiness` was worked out, and when. */
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
