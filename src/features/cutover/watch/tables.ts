declare module '../../../db/tables.ts' {
  interface Tables {
    watches: WatchRow;
  }
}

/** One account that has moved. */
export interface WatchRow {
  account_id: string;
  /** When it moved: a later move begins a new watch. */
  moved_at: number;
  /** Later by the time while the account was lost. */
  until: number;
  /** The names its programs used before, packed; names and counts, never values. Empty: the watch is over. */
  before: string;
  /** In the week before. */
  calls_before: number;
  errors_before: number;
  /** A list of `Finding` as JSON. */
  findings: string;
  /** Since when somebody should look at it; empty: nobody has to. */
  flagged_at: number | null;
  /** A `Dismissal` as JSON. */
  dismissed: string | null;
}
