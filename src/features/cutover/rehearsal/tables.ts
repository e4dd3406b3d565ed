declare module '../../../db/tables.ts' {
  interface Tables {
    rehearsals: RehearsalRow;
  }
}

/** The last rehearsal of an account that was begun, and the last that came to its end. */
export interface RehearsalRow {
  account_id: string;
  begun_at: number;
  /** Name of the token, or `command line`. */
  who: string;
  outcome: 'running' | 'failed' | 'done';
  /** What is being done, or why it failed. */
  words: string;
  done: number;
  total: number;
  /** When its process was last heard of. */
  told_at: number;
  /** A `Rehearsal` as JSON, with masked examples. */
  report: string | null;
}
