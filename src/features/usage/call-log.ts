import { isMethod } from './names/account-use.ts';
import { wordsIn } from '../../lib/text/code.ts';
import { counted } from '../../lib/text/counted.ts';
import { iso } from '../../lib/time/iso.ts';
import { failures, refusedWords, type FailureCode, type RefusedWhy, type Source } from '../../lib/failure.ts';

/** The most calls that a page shows. */
export const CALLS_SHOWN = 50;
/** Days for which single calls are kept. */
export const CALLS_KEPT_DAYS = 7;
/** Days for which the hourly counts are kept. */
export const HOURS_KEPT_DAYS = 8;
/** Days after a move for which its calls are compared with those of V1 in as many days before. */
export const MOVE_COMPARED_DAYS = 7;
/**
 * Refused calls of an account that are kept one by one (`RefusedCalls`): a count as high as this means that there may
 * be more.
 */
export const REFUSED_AT_ONCE = 20;

/**
 * The stored part of a finished call: never a key or a value, and an address only if its keys were refused. Nothing
 * in it names a person, so it is not sealed.
 */
export interface CallRecord {
  readonly accountId: string;
  readonly requestId: string;
  /** When it ended. */
  readonly at: number;
  readonly verb: string;
  /** `client.list`, `generic`, or `none` if it never became a method call. */
  readonly method: string;
  /**
   * The name asked for where `method` does not give it: `client.lst`. Counts and usage ignore it, because anybody may
   * invent names.
   */
  readonly asked?: string | undefined;
  readonly source: Source;
  /** The API chosen to answer, while the call is counted; undefined: none was chosen yet, or the one in `source`. */
  readonly route?: 'v1' | 'v2' | 'v3' | undefined;
  readonly status: number;
  /** The caller got an error, half a reply, or a refusal. */
  readonly failed: boolean;
  /** Duration of the whole call, in milliseconds. */
  readonly millis: number;
  /** The service's share of it: how long at least one request was open; undefined if the service was not asked. */
  readonly upstreamMillis: number | undefined;
  /**
   * Its wait for the service's rate limit, while no request was open; undefined: it did not wait, or was recorded before
   * waits were.
   */
  readonly waitedMillis?: number | undefined;
  /** Size of the reply's body; undefined for calls that were recorded before sizes were. */
  readonly bytes?: number | undefined;
  /**
   * Names of the elements that were dropped, shortened or could not be filled, separated by spaces; absent if there
   * are none.
   */
  readonly losses?: string | undefined;
  /** Why the program got no reply; absent: it got one, or the answer of V1 or V3. */
  readonly failure?: FailureCode | undefined;
  /**
   * The error text that the program received, without values (`withoutValues`); absent: it got what it asked for, or
   * no text.
   */
  readonly told?: string | undefined;
  /** Set if the cause lies in the call itself, whichever route serves it: an identifier that nobody knows. */
  readonly isOfCall?: true | undefined;
  /** Set if it came with the account's key but was refused: it is no call of the account and counts nowhere. */
  readonly refused?: RefusedCall | undefined;
}

/**
 * Why a call with the key of an account was refused, and the address it came from; the address is empty if the
 * connection was already gone.
 */
export interface RefusedCall {
  readonly why: RefusedWhy;
  readonly from: string;
}

const failureWords = wordsIn<string>(
  Object.fromEntries(Object.entries(failures).map(([code, { text }]) => [code, text])),
);

/** Why a call failed, in words; undefined: it did not, or nothing is known about it. */
export const causeOf = ({ failed, failure, status, refused }: CallRecord): string | undefined => {
  if (refused !== undefined) return refusedWords(refused.why);
  if (failure !== undefined) return failureWords(failure);
  return failed && status >= 400 ? `the answer had the status ${status}` : undefined;
};

/** The code for it; `failed`: the service itself answered with the error. */
export const causeCode = ({ failed, failure, refused }: CallRecord): string | undefined =>
  refused?.why ?? failure ?? (failed ? 'failed' : undefined);

/** The method in words, or the name asked for in its place; a dash for a call without either. */
export const calledWords = ({ asked, method }: Pick<CallRecord, 'asked' | 'method'>): string =>
  asked ?? (isMethod(method) ? method : '–');

const columns = {
  at: ({ at }: CallRecord) => iso(at),
  request: ({ requestId }: CallRecord) => requestId,
  verb: ({ verb }: CallRecord) => verb,
  method: ({ method }: CallRecord) => method,
  source: ({ source }: CallRecord) => source,
  status: ({ status }: CallRecord) => status,
  failed: ({ failed }: CallRecord) => (failed ? 'yes' : 'no'),
  cause: ({ failure, refused }: CallRecord) => refused?.why ?? failure,
  millis: ({ millis }: CallRecord) => millis,
  service_millis: ({ upstreamMillis }: CallRecord) => upstreamMillis,
  waited_millis: ({ waitedMillis }: CallRecord) => waitedMillis,
  lost: ({ losses }: CallRecord) => losses,
  from: ({ refused }: CallRecord) => refused?.from,
  told: ({ told }: CallRecord) => told,
} as const;

/** The columns of a list of calls. */
export const callColumns = { ...columns, asked: ({ asked }: CallRecord) => asked } as const;

/** The same with the words of the console. */
export const shownCallColumns = {
  ...columns,
  method: calledWords,
  cause: causeCode,
} as const;

/** Calls of one account answered by one source within an hour. */
export interface HourCount {
  /** Start of the hour, in milliseconds since the epoch. */
  readonly hour: number;
  readonly source: Source;
  readonly calls: number;
  readonly errors: number;
}

/** The kept calls of a day that were refused although they carried the account's key. */
export interface RefusedRecently {
  /** Whole hours: the one that began 24 hours ago counts from its beginning. */
  readonly calls: number;
  /** There may have been more; only the log has those. */
  readonly isAtLeast: boolean;
  readonly last: Pick<CallRecord, 'at' | 'requestId'> & RefusedCall;
}

/** `at least 21 calls`. */
export const refusedCount = ({ calls, isAtLeast }: Pick<RefusedRecently, 'calls' | 'isAtLeast'>): string =>
  `${isAtLeast ? 'at least ' : ''}${counted(calls, 'call')}`;

/** A selection of an account's calls. */
export interface CallsWanted {
  /** Only calls that ended at this time or later, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** Only calls that ended before this time. */
  readonly to?: number | undefined;
  readonly requestId?: string | undefined;
  /** Only failed calls. */
  readonly failed?: boolean | undefined;
  /** Only calls that were refused although they carried the account's key. */
  readonly refused?: boolean | undefined;
  /** Only calls of these methods, and no refused ones: anybody may have used their keys. */
  readonly methods?: readonly string[] | undefined;
  /** Only calls for which it returns true. */
  readonly where?: ((call: CallRecord) => boolean) | undefined;
  /** Default: `CALLS_SHOWN`. */
  readonly limit?: number | undefined;
  /** Once so many packed calls of any kind were looked through, the older ones are not. */
  readonly most?: number | undefined;
}

/** Whether a call is among those wanted, apart from its time and id. */
export const isOfKind = (
  call: CallRecord,
  { failed = false, refused = false, methods, where = () => true }: CallsWanted,
): boolean =>
  (!failed || call.failed) &&
  (!refused || call.refused !== undefined) &&
  (methods === undefined || (call.refused === undefined && methods.includes(call.method))) &&
  where(call);

/**
 * Calls and hourly counts, collected in memory. Every process sees a call within ten seconds of its end; a process that
 * is killed loses the last six.
 */
export interface CallRepository {
  /** Does no I/O and never throws. */
  record(call: CallRecord): void;
  /** All calls that ended at `from` or later, oldest first; if there are more than `most`, the newest ones. */
  since(accountId: string, from: number, most: number): Promise<readonly CallRecord[]>;
  /** Newest first, including those this process has not written yet. */
  find(accountId: string, wanted?: CallsWanted): Promise<readonly CallRecord[]>;
  /** Writes the calls in memory, so that every process sees them. */
  flush(): Promise<void>;
  /** The call with this request id, whatever its account; reads all kept calls, newest first. */
  byRequest(requestId: string): Promise<CallRecord | undefined>;
  hours(accountId: string, since: number): Promise<readonly HourCount[]>;
  /** Those of the day before `now`; undefined if there are none. */
  refused(accountId: string, now: number): Promise<RefusedRecently | undefined>;
  /** Finishes the work of processes that are gone, and deletes calls that are too old or too many. */
  forget(now: number): Promise<void>;
  /** Erases the calls of an account; returns their number. */
  erase(accountId: string): Promise<number>;
}
