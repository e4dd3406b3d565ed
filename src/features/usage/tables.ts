import type { Source } from '../../lib/failure.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    call_journal: CallJournalRow;
    call_packs: CallPackRow;
    call_hours: CallHourRow;
  }
}

/** Calls of all accounts that one process has served within a few seconds, until they are counted and packed. */
export interface CallJournalRow {
  id: string;
  /** The id of the process. */
  holder: string;
  /** When it was written. */
  at: number;
  /** Whether its calls are in `call_hours`. */
  counted: 0 | 1;
  /** See `packed`. */
  content: string;
}

/** Calls of one account, from a quarter of a day if they are few. */
export interface CallPackRow {
  account_id: string;
  begun_at: number;
  /** When the last call in it ended. */
  last_at: number;
  calls: number;
  /** Texts of `packed`, with a dot between them. */
  content: string;
}

export interface CallHourRow {
  /** Start of the hour. After eight days all of V1 in the week before a move are in its first hour. */
  hour: number;
  account_id: string;
  /** `refused`: kept calls that are not the account's own, for people who look for them. */
  source: Source | 'refused';
  calls: number;
  errors: number;
  /** Those of the errors whose cause lies in the call itself (`CallRecord.isOfCall`). */
  of_call: number;
}
