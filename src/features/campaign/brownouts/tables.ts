declare module '../../../db/tables.ts' {
  interface Tables {
    brownouts: BrownoutRow;
    brownout_accounts: BrownoutAccountRow;
  }
}

/** One brown-out. Times in milliseconds since the epoch. */
export interface BrownoutRow {
  id: string;
  /** The accounts at the time of planning, as filters of the list of accounts. */
  query: string;
  from_at: number;
  to_at: number;
  planned_at: number;
  /** Name of the token, or `command line`. */
  who: string;
  stopped_at: number | null;
  stopped_by: string | null;
}

/** An account of a brown-out, with the number of its refused reads. */
export interface BrownoutAccountRow {
  brownout_id: string;
  account_id: string;
  refused: number;
}
