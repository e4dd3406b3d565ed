declare module '../../db/tables.ts' {
  interface Tables {
    snapshot: SnapshotRow;
  }
}

/** Replaces a kind, for the row that says how far the records of an account have been asked for their parts. */
export const ASKED = 'asked';

/** V1's values of one record before its account moved, and the account's own since. */
export interface SnapshotRow {
  /** Account, kind and UUID, for which the fields are sealed. */
  id: string;
  account_id: string;
  kind: string;
  /** A JSON object of texts by element. */
  fields_sealed: string;
  /** When V1 returned it; 0: all of it was written since. */
  read_at: number;
}
