import type { SamplePurpose } from './sample.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    samples: SampleRow;
    sample_accounts: SampleAccountRow;
  }
}

/** One request of an account with the reply to it. */
export interface SampleRow {
  /** Account, purpose and a keyed hash of the request, for which the content is sealed. */
  id: string;
  account_id: string;
  purpose: SamplePurpose;
  /** `client.get` */
  method: string;
  /** See `packedSample`. */
  content_sealed: string;
  /** Length of `content_sealed`. */
  bytes: number;
  at: number;
  expires_at: number;
}

export interface SampleAccountRow {
  account_id: string;
  /** 1: nothing is kept for the account. */
  off: 0 | 1;
  /** Samples of calls before this time are no longer written. */
  forgotten_at: number | null;
  /** Its calls are recorded between the two times; empty: they never were, or the recording was erased. */
  record_since: number | null;
  record_until: number | null;
}
