import type { Source } from '../../lib/failure.ts';

/** Calls kept per account. */
export const CALLS_KEPT = 50;
/** Days for which the hourly counts are kept. */
export const HOURS_KEPT_DAYS = 8;

/** A finished call with what may be kept of it: never a key, a value or an address. */
export interface CallRecord {
  readonly accountId: string;
  readonly requestId: string;
  /** When it ended. */
  readonly at: number;
  readonly verb: string;
  /** `client.list`, `generic`, or `none` if it never became a method call. */
  readonly method: string;
  readonly source: Source;
  readonly status: number;
  /** The caller got an error, half a reply, or a refusal. */
  readonly failed: boolean;
  /** Duration of the whole call, in milliseconds. */
  readonly millis: number;
  /** The service's part of it; undefined if it was not asked. */
  readonly upstreamMillis: number | undefined;
}

/** Calls of one account answered by one source within an hour. */
export interface HourCount {
  /** Start of the hour, in milliseconds since the epoch. */
  readonly hour: number;
  readonly source: Source;
  readonly calls: number;
  readonly errors: number;
}

/** Recent calls and hourly counts, collected in memory and written every few seconds, which a crash loses. */
export interface CallRepository {
  /** Does no I/O and never throws. */
  record(call: CallRecord): void;
  /** Newest first, at most `CALLS_KEPT`, including those this process has not written yet. */
  recent(accountId: string): Promise<readonly CallRecord[]>;
  hours(accountId: string, since: number): Promise<readonly HourCount[]>;
  /** Deletes hourly counts that are too old. */
  forget(now: number): Promise<void>;
}
