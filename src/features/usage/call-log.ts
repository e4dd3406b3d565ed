import type { Source } from '../../lib/failure.ts';

/** How many of an account's calls are kept. */
export const CALLS_KEPT = 50;
/** How long the hourly counts are kept, in days. */
export const HOURS_KEPT_DAYS = 8;

/** A call that has ended, as far as it may be kept: never a key, a value or an address. */
export interface CallRecord {
  readonly accountId: string;
  readonly requestId: string;
  /** When it ended. */
  readonly at: number;
  readonly verb: string;
  /** `client.list`, `generic`, or `none` where it never became one. */
  readonly method: string;
  readonly source: Source;
  readonly status: number;
  /** The caller got an error, half a reply, or words of refusal. */
  readonly failed: boolean;
  /** The whole call, in milliseconds. */
  readonly millis: number;
  /** What the service took of it; undefined where it was not asked. */
  readonly upstreamMillis: number | undefined;
}

/** Calls of one account answered by one source within an hour. */
export interface HourCount {
  /** Its beginning, milliseconds since the epoch. */
  readonly hour: number;
  readonly source: Source;
  readonly calls: number;
  readonly errors: number;
}

/** Recent calls and hourly counts. Gathered in memory and written every few seconds, which is what a crash loses. */
export interface CallRepository {
  /** Costs no I/O and never throws. */
  record(call: CallRecord): void;
  /** The newest first, `CALLS_KEPT` at most; what this process has not written yet is among them. */
  recent(accountId: string): Promise<readonly CallRecord[]>;
  hours(accountId: string, since: number): Promise<readonly HourCount[]>;
  /** Takes out the hourly counts that have had their time. */
  forget(now: number): Promise<void>;
}
