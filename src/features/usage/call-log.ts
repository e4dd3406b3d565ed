import { isMethod } from './names/account-use.ts';
import { wordsIn } from '../../lib/text/code.ts';
import { counted } from '../../lib/text/counted.ts';
import { iso } from '../../lib/time/iso.ts';
import { failures, refusedWords, type FailureCode, type RefusedWhy, type Source } from '../../lib/failure.ts';

/** Calls that a page shows. */
export const CALLS_SHOWN = 50;
/** Days for which single calls are kept. */
export const CALLS_KEPT_DAYS = 7;
/** Days for which the hourly counts are kept. */
export const HOURS_KEPT_DAYS = 8;
/** Refused calls of an account of which each is kept (`RefusedCalls`): where there are as many, there may be more. */
export const REFUSED_AT_ONCE = 20;

/**
 * A finished call with what may be kept of it: never a key or a value, and an address only of a call whose keys were refused.
 * Nothing in it names a person, so it is not sealed.
 */
export interface CallRecord {
  readonly accountId: string;
  readonly requestId: string;
  /** When it ended. */
  readonly at: number;
  readonly verb: string;
  /** `client.list`, `generic`, or `none` if it never became a method call. */
  readonly method: string;
  /** What was asked for where `method` says nothing of it: `client.lst`. No count or usage goes by it, because anybody may invent names. */
  readonly asked?: string | undefined;
  readonly source: Source;
  /** Who was to answer, while it is counted; undefined: nobody was chosen yet, or as `source` says. */
  readonly route?: 'v1' | 'v2' | 'v3' | undefined;
  readonly status: number;
  /** The caller got an error, half a reply, or a refusal. */
  readonly failed: boolean;
  /** Duration of the whole call, in milliseconds. */
  readonly millis: number;
  /** The service's part of it; undefined if it was not asked. */
  readonly upstreamMillis: number | undefined;
  /** Size of the reply's body; undefined for calls that were recorded before sizes were. */
  readonly bytes?: number | undefined;
  /** Names of what was dropped, shortened or could not be filled, separated by spaces; absent: nothing. */
  readonly losses?: string | undefined;
  /** Why the program got no reply; absent: it got one, or what V1 or V3 answered. */
  readonly failure?: FailureCode | undefined;
  /** What the program was told of it, without values (`withoutValues`); absent: it got what it asked for, or no text. */
  readonly told?: string | undefined;
  /** Set if it failed for what lies in the call itself, whichever route serves it: an identifier that nobody knows. */
  readonly isOfCall?: true | undefined;
  /** Set if it came with the account's key and was refused all the same: it is no call of the account and counts nowhere. */
  readonly refused?: RefusedCall | undefined;
}

/** Why a call with the key of an account was refused, and the address it came from; empty: it was gone before. */
export interface RefusedCall {
  readonly why: RefusedWhy;
  readonly from: string;
}

const failureWords = wordsIn<string>(
  Object.fromEntries(Object.entries(failures).map(([code, { text }]) => [code, text])),
);

/** Why a call failed, for people; undefined: nothing is known of it, or it did not. */
export const causeOf = ({ failed, failure, status, refused }: CallRecord): string | undefined => {
  if (refused !== undefined) return refusedWords(refused.why);
  if (failure !== undefined) return failureWords(failure);
  return failed && status >= 400 ? `the answer had the status ${status}` : undefined;
};

/** The code of it; `failed`: the service answered so itself. */
export const causeCode = ({ failed, failure, refused }: CallRecord): string | undefined =>
  refused?.why ?? failure ?? (failed ? 'failed' : undefined);

/** The method, or what was asked for in its place, for people; a dash for a call of none. */
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
  lost: ({ losses }: CallRecord) => losses,
  from: ({ refused }: CallRecord) => refused?.from,
  told: ({ told }: CallRecord) => told,
} as const;

/** The columns of a list of calls. */
export const callColumns = { ...columns, asked: ({ asked }: CallRecord) => asked } as const;

/** The same for people, with the words of the console. */
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

/** The kept calls of a day that were refused although they came with the key of the account. */
export interface RefusedRecently {
  /** Whole hours: the one that began 24 hours ago counts from its beginning. */
  readonly calls: number;
  /** There may have been more, which only the log has. */
  readonly isAtLeast: boolean;
  readonly last: Pick<CallRecord, 'at' | 'requestId'> & RefusedCall;
}

/** `at least 21 calls`. */
export const refusedCount = ({ calls, isAtLeast }: Pick<RefusedRecently, 'calls' | 'isAtLeast'>): string =>
  `${isAtLeast ? 'at least ' : ''}${counted(calls, 'call')}`;

/** Which calls of an account. */
export interface CallsWanted {
  /** That ended then or later, in milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** That ended before. */
  readonly to?: number | undefined;
  readonly requestId?: string | undefined;
  /** Only those that failed. */
  readonly failed?: boolean | undefined;
  /** Only those that were refused although they came with the account's key. */
  readonly refused?: boolean | undefined;
  /** Only those of these methods, and no refused ones: their keys may be anybody's. */
  readonly methods?: readonly string[] | undefined;
  /** Default: `CALLS_SHOWN`. */
  readonly limit?: number | undefined;
}

/**
 * Calls and hourly counts, collected in memory. Every process sees a call within ten seconds of its end; a process that
 * is killed loses the last six.
 */
export interface CallRepository {
  /** Does no I/O and never throws. */
  record(call: CallRecord): void;
  /** All that ended at `from` or later, oldest first; of more than `most` the newest. */
  since(accountId: string, from: number, most: number): Promise<readonly CallRecord[]>;
  /** Newest first, including those this process has not written yet. */
  find(accountId: string, wanted?: CallsWanted): Promise<readonly CallRecord[]>;
  /** Writes what is in memory, so that every process sees it. */
  flush(): Promise<void>;
  /** The call with this request id, of whatever account; reads all that are kept, newest first. */
  byRequest(requestId: string): Promise<CallRecord | undefined>;
  hours(accountId: string, since: number): Promise<readonly HourCount[]>;
  /** Of the day before `now`; undefined: none. */
  refused(accountId: string, now: number): Promise<RefusedRecently | undefined>;
  /** Takes over what a process that is gone has not finished, and deletes what is too old or too much. */
  forget(now: number): Promise<void>;
  /** Erases the calls of an account; returns how many. */
  erase(accountId: string): Promise<number>;
}
