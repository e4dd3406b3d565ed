import type { CallerState, Settlement, WriteState } from '../model.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    writes: WriteRow;
    write_owners: WriteOwnerRow;
  }
}

export interface WriteRow {
  /** The id of the call. */
  id: string;
  account_id: string;
  method: string;
  /** `v1`, `v3`, `v2`: where it goes, or went. */
  route: string;
  /** Keyed hash of account, verb, path, query and body. */
  fingerprint: string;
  /** Keyed hash of the caller's `Idempotency-Key`, for a day. */
  idempotency: string | null;
  /** Bytes of the body. */
  length: number;
  /** The process that serves the call. */
  owner: string;
  state: WriteState;
  settlement: Settlement | null;
  caller: CallerState;
  /** The number of the record that was made. */
  made: string | null;
  /** `kind:number` of the record that was made: no two writes made the same one. */
  claim: string | null;
  /** Numbers up to it were known for records of the kind before. */
  known_to: number | null;
  /** The number of the record that it makes, allotted before anything left; a gap where none was made. */
  allotted: number | null;
  facts_sealed: string;
  /** What the caller got, or a repeat is to get; for a day. */
  answer_sealed: string | null;
  /** What it consists of, where the service takes several calls for it. */
  steps_sealed: string | null;
  /** Keyed hash of account, verb, path, query and the beginning of the body; of a document that leaves while it is read. */
  resembles: string | null;
  /** The write that was not done, and that this one does again. */
  repeats: string | null;
  created_at: number;
  /** Since when its caller knows nothing of the outcome. */
  untold_at: number | null;
  unknown_at: number | null;
  /** When the service is looked at again, while the outcome is unknown. */
  next_at: number | null;
  attempts: number;
  settled_at: number | null;
  settled_by: string | null;
  note: string;
}

/** A process that has writes under way; `beats` grows for as long as it lives. */
export interface WriteOwnerRow {
  id: string;
  beats: number;
}
