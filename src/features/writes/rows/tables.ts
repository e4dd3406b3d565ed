import type { CallerState, Settlement, WriteState } from '../model.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    writes: WriteRow;
    write_owners: WriteOwnerRow;
    write_marks: WriteMarkRow;
  }
}

export interface WriteRow {
  /** The id of the call. */
  id: string;
  account_id: string;
  method: string;
  /** `v1`, `v3` or `v2`: where it goes, or went. */
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
  /** The number of the created record. */
  made: string | null;
  /** `kind:number` of the created record: no two writes created the same one. */
  claim: string | null;
  /** Numbers up to this were known for records of the kind before. */
  known_to: number | null;
  /** The number assigned to the record before anything left; a gap if none was created. */
  allotted: number | null;
  /**
   * The kinds of records, with a space between, that it may have added on V1 after V1's lists of them were last read.
   * `*`: 1.0.0-rc.1 recorded it, which does not say.
   */
  adds: string | null;
  facts_sealed: string;
  /** What the caller got, or a repeat will get; for a day. */
  answer_sealed: string | null;
  /** Its steps, if the service takes several calls for it. */
  steps_sealed: string | null;
  /**
   * Keyed hash of account, verb, path, query and the beginning of the body, for a document that leaves while
   * it is read.
   */
  resembles: string | null;
  /** The write that was not done and that this one repeats. */
  repeats: string | null;
  created_at: number;
  /** Since when its caller has not known the outcome; also set while a repeat waits in its place. */
  untold_at: number | null;
  unknown_at: number | null;
  /** When it is looked up again, while the outcome is unknown. */
  next_at: number | null;
  attempts: number;
  /** For `settled`, when it was; for `done`, when the service had answered. */
  settled_at: number | null;
  settled_by: string | null;
  note: string;
}

/** A process with writes in progress; `beats` grows for as long as it is alive. */
export interface WriteOwnerRow {
  id: string;
  beats: number;
}

/** How many writes of an account have ever been recorded, by method; counted by a trigger on `writes`. */
export interface WriteMarkRow {
  account_id: string;
  method: string;
  count: number;
}
