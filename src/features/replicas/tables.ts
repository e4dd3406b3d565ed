declare module '../../db/tables.ts' {
  interface Tables {
    replicas: ReplicaRow;
    replica_pieces: ReplicaPieceRow;
  }
}

/** A list of an account as it was last read. */
export interface ReplicaRow {
  /** A hash of account, consent, organisation and request: if one of them differs, so does the list. */
  id: string;
  account_id: string;
  /** Grows with each change: a writer that has read an older one changes nothing. */
  version: number;
  /** See `ReplicaHead`. */
  head_sealed: string;
  /** Size of everything sealed. */
  bytes: number;
  used_at: number;
}

/** Some hundred consecutive records of a list. */
export interface ReplicaPieceRow {
  id: string;
  replica_id: string;
  /** From 0, in the order of the list. */
  place: number;
  records_sealed: string;
}
