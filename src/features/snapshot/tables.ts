declare module '../../db/tables.ts' {
  interface Tables {
    snapshot: SnapshotRow;
  }
}

/** What V1 told of one record before its account moved. */
export interface SnapshotRow {
  /** Account, kind and UUID: the owner in the sealing. */
  id: string;
  account_id: string;
  kind: string;
  /** A JSON object of texts by element. */
  fields_sealed: string;
  /** When V1 told it. */
  read_at: number;
}
