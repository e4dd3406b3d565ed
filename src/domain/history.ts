import type { StageName } from './account.ts';

/**
 * One line of every account's timeline, in one order for the whole database: `seq` grows by one with each, and a line
 * with a smaller one never becomes visible later, so that who has read up to a number has missed nothing.
 */
export interface FeedEvent {
  readonly seq: number;
  readonly accountId: string;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly detail: string;
  /** Undefined: the line came with no change of stage. `from` is undefined where the account came into being. */
  readonly transition: { readonly from: StageName | undefined; readonly to: StageName } | undefined;
}

export type StageCounts = Readonly<Record<StageName, number>>;

/** How many accounts were in each stage when a day (UTC) ended; the last one is today, so far. */
export interface DayCounts {
  /** `2026-11-20`. */
  readonly day: string;
  readonly counts: StageCounts;
}

/** What has happened to all accounts together. Written with each change, by whoever changes an account. */
export interface HistoryBook {
  /** Lines after `seq`, in order, `limit` at most; only those that changed a stage, when asked for. */
  since(
    seq: number,
    options: { readonly limit: number; readonly transitionsOnly?: boolean },
  ): Promise<readonly FeedEvent[]>;
  /** The highest number given so far; 0 where nothing has happened. */
  latest(): Promise<number>;
  /** In order, without gaps, from the first day. */
  days(): Promise<readonly DayCounts[]>;
  /** Writes the counts of today, and of every day since the last that was written. Idempotent. */
  record(now: number): Promise<void>;
}
