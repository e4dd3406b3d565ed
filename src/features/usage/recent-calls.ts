/**
 * The calls of the last second: a call only adds itself to a list, and the counters process the list every second, so
 * that no call pays for its counting. Many calls are counted earlier, a few at a time: a list that grows for a second
 * would leave V8's young generation with everything in it. A process that is killed loses them.
 *
 * A sample of the calls of each account and method keeps the beginning of the request and the reply, within a limit.
 */
import { DAY, SECOND } from '../../lib/time/clock.ts';
import type { CallRecord } from './call-log.ts';

const COUNT_EVERY = SECOND;
/** At this length the list is counted before its second is over. */
const MOST_CALLS = 100;
/**
 * Limit for a second, so that a reply of 64 KB in each of a thousand calls cannot fill the memory: calls beyond it
 * are still counted, but not read.
 */
const MOST_BYTES = 4 * 1_024 * 1_024;
/** For each method of an account, the first calls of a day keep their messages, then one in `oneIn`. */
const SAMPLED = {
  ...{ first: 20, oneIn: 20 },
  /** In a second, over all accounts: reading one costs as much processor time as three calls. */
  most: 40,
};
/** The same for accounts whose calls are recorded: all calls, as long as that leaves the process time for customers. */
const WHOLE = { first: Infinity, oneIn: 1, most: 400 };

/** The data of a call besides its record. */
export interface Message {
  /** Names and values alternating, as received. */
  readonly headers: readonly string[];
  /** Path and query as received; the query contains the keys. */
  readonly address: string;
  /** The beginning of the request's body. */
  readonly sent: Uint8Array | undefined;
  /** The beginning of the reply in pieces, if one was sent. */
  readonly received: readonly (string | Uint8Array)[] | undefined;
}

/** A call that has ended. Its request and reply are present only if it belongs to the sample. */
export interface RecentCall extends Message {
  readonly call: CallRecord;
}

/** Receives the calls of each second, and must limit how many it keeps. */
export interface CallCounter {
  readonly readsMessages: boolean;
  /** Must not throw. */
  count(calls: readonly RecentCall[]): void;
}

/** Calls of the day by account and method. */
export class CallsOfDay {
  #day = 0;
  #accounts = new Map<string, Map<string, number>>();

  /** Returns an account's counts by method. */
  of(accountId: string, at: number): Map<string, number> {
    const day = Math.floor(at / DAY);
    if (day !== this.#day) {
      this.#day = day;
      this.#accounts = new Map();
    }
    let methods = this.#accounts.get(accountId);
    if (methods === undefined) this.#accounts.set(accountId, (methods = new Map<string, number>()));
    return methods;
  }

  /** Adds one call; returns how many preceded it. */
  count(accountId: string, method: string, at: number): number {
    const methods = this.of(accountId, at);
    const calls = methods.get(method) ?? 0;
    methods.set(method, calls + 1);
    return calls;
  }
}

/** Calls of this process that have not been counted yet. */
export class RecentCalls {
  readonly #counters: CallCounter[] = [];
  #readsMessages = false;
  #calls: RecentCall[] = [];
  /** Size of the messages of this second, and their number. */
  #bytes = 0;
  #read = 0;
  readonly #sampled = new CallsOfDay();
  #whole: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | undefined;

  /** Passes every call to the counter from now on. */
  tell(counter: CallCounter): void {
    this.#counters.push(counter);
    this.#readsMessages ||= counter.readsMessages;
  }

  /** Makes every call of these accounts, and of no others, keep its messages from now on, within the limit. */
  readWhole(accountIds: ReadonlySet<string>): void {
    this.#whole = accountIds;
  }

  /** Does no I/O and never throws. */
  record(call: CallRecord, message: Message): void {
    if (this.#calls.length >= MOST_CALLS) this.#count();
    const { headers, address } = message;
    const isRead = this.#readsMessages && !call.failed && this.#isSample(call, message);
    const { sent, received } = isRead ? message : NOT_READ;
    this.#calls.push({ call, headers, address, sent, received });
    this.#timer ??= setTimeout(this.handOver, COUNT_EVERY).unref();
  }

  /** Has the calls in the list counted now. */
  readonly handOver = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#bytes = 0;
    this.#read = 0;
    this.#count();
  };

  #count(): void {
    const calls = this.#calls;
    this.#calls = [];
    for (const counter of this.#counters) counter.count(calls);
  }

  #isSample({ accountId, at, method }: CallRecord, { sent = NOTHING, received = [] }: Message): boolean {
    const methods = this.#sampled.of(accountId, at);
    const calls = methods.get(method) ?? 0;
    const { first, oneIn, most } = this.#whole.has(accountId) ? WHOLE : SAMPLED;
    if (calls >= first && calls % oneIn !== 0) {
      methods.set(method, calls + 1);
      return false;
    }
    // A later call is read instead.
    if (this.#read >= most) return false;
    let bytes = this.#bytes + sent.length;
    for (const { length } of received) bytes += length;
    if (bytes > MOST_BYTES) return false;
    this.#bytes = bytes;
    this.#read += 1;
    methods.set(method, calls + 1);
    return true;
  }
}

const NOTHING = new Uint8Array();
const NOT_READ = { sent: undefined, received: undefined };
