declare module '../../../db/tables.ts' {
  interface Tables {
    rehearsals: RehearsalRow;
  }
}

/** The last rehearsal of an account, and the report of the last completed one. */
export interface RehearsalRow {
  account_id: string;
  begun_at: number;
  /** Name of the token, or `command line`. */
  who: string;
  outcome: 'running' | 'failed' | 'done';
  /** The current step, or why it failed. */
  words: string;
  done: number;
  total: number;
  /** When its process last updated it. */
  told_at: number;
  /** A `Rehearsal` as JSON, with masked examples. */
  report: string | null;
}
