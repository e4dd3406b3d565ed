/**
 * Reads in progress that others may share, the calls that wait for them, and the looks at the marks of the accounts'
 * writes (`write-marks.ts`) that decide which calls may.
 */
import {
  isQuiet,
  isUntouched,
  type Marks,
  type Touches,
  type WriteMarks,
} from '../../features/writes/rows/write-marks.ts';
import type { Destination, UpstreamAnswer, UpstreamRequest } from '../../upstream/model.ts';
import type { ReadFlight } from '../../upstream/read-flight.ts';
import type { SharedAnswer } from '../../upstream/ready-read.ts';
import { answerOf, heldAnswer, isWhole } from './held-answer.ts';

/** Every write of the account affects a shared read. */
export const EVERY_WRITE: Touches = () => true;

/** In bytes: a longer answer is not shared but passed on as it arrives. */
export const LONGEST_SHARED = 4 * 1_024 * 1_024;

/** Accounts with reads now or lately in progress. */
const MOST_ACCOUNTS = 20_000;

/** The request and its destination. */
export interface Question extends Pick<UpstreamRequest, 'segments' | 'query'> {
  readonly to: Destination;
}

/** A call that waits for the answer to a read in progress. */
export interface Waiter {
  /** Undefined: there is no answer to share. */
  told(answer: SharedAnswer | undefined): void;
  /** The read waits for the rate limit from now on, or no longer. */
  held?(isHeld: boolean): void;
}

/** The reads in progress, of all accounts. An account has only a few at a time because its permits are few. */
export class Flights {
  readonly #accounts = new Map<string, Flight[]>();

  find(question: Question): Flight | undefined {
    const flights = this.#accounts.get(question.to.accountId);
    if (flights !== undefined)
      for (const flight of flights) if (isSame(flight.question, question)) return flight;
    return undefined;
  }

  /** Begins the read that others may now join. `marks`: of the account, from before the request leaves. */
  begin(question: Question, marks: Marks): Flight {
    let flights = this.#accounts.get(question.to.accountId);
    if (flights === undefined) {
      flights = [];
      if (this.#accounts.size >= MOST_ACCOUNTS) this.#forgetIdle();
      this.#accounts.set(question.to.accountId, flights);
    }
    return new Flight(flights, question, marks);
  }

  #forgetIdle(): void {
    for (const [account, { length }] of this.#accounts) if (length === 0) this.#accounts.delete(account);
  }
}

/** One read in progress, and those who wait for its answer. */
export class Flight implements ReadFlight {
  readonly question: Question;
  /** It waits for the rate limit, and so do those who wait for its answer. */
  isHeld = false;
  readonly #marks: Marks;
  /** The reads of its account, the newest first. */
  readonly #flights: Flight[];
  #waiting: Waiter[] = NOBODY;

  constructor(flights: Flight[], question: Question, marks: Marks) {
    this.#flights = flights;
    this.question = question;
    this.#marks = marks;
    flights.unshift(this);
  }

  /** Whether its answer is recent enough for a call that arrived before this look. */
  fits(marks: Marks): boolean {
    return isUntouched(this.#marks, marks, EVERY_WRITE);
  }

  /** Keeps the answer for `waiter` from now on, unless it `leave`s. */
  join(waiter: Waiter): void {
    if (this.#waiting === NOBODY) this.#waiting = [];
    this.#waiting.push(waiter);
  }

  leave(waiter: Waiter): void {
    const at = this.#waiting.indexOf(waiter);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  held(isHeld: boolean): void {
    this.isHeld = isHeld;
    for (const waiter of this.#waiting) waiter.held?.(isHeld);
  }

  arrived(whole: Buffer): void {
    if (this.#waiting.length > 0)
      this.#tell(answerOf({ status: 200, contentType: 'text/xml', headers: {}, millis: 0 }, whole));
  }

  ended(): void {
    const at = this.#flights.indexOf(this);
    if (at !== -1) this.#flights.splice(at, 1);
    if (this.#waiting.length > 0) this.#tell(undefined);
  }

  /** Shares the answer if any call waits for it; returns it for the original caller. */
  async share(answer: UpstreamAnswer): Promise<UpstreamAnswer> {
    if (this.#waiting.length === 0 || answer.status >= 500) return answer;
    const held = await heldAnswer(answer, LONGEST_SHARED);
    if (isWhole(held)) this.#tell(held);
    return held;
  }

  #tell(answer: SharedAnswer | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = NOBODY;
    for (const waiter of waiting) waiter.told(answer);
  }
}

/** Nearly every read has no waiters: they share one empty list. */
const NOBODY: Waiter[] = [];

/** Whether two requests ask the service the same question. */
export const isSame = (one: Question, other: Question): boolean =>
  one.to.accountId === other.to.accountId &&
  one.to.organisationId === other.to.organisationId &&
  one.to.grantId === other.to.grantId &&
  isSameAddress(one, other);

function isSameAddress({ segments, query }: Question, other: Question): boolean {
  if (segments.length !== other.segments.length || query.length !== other.query.length) return false;
  for (const [n, segment] of segments.entries()) if (segment !== other.segments[n]) return false;
  return query.every(([name, value], n) => {
    const [otherName, otherValue] = other.query[n] ?? [];
    return name === otherName && value === otherValue;
  });
}

/** Accounts whose looks are remembered, some hundred bytes each. */
const MOST_LOOKS = 20_000;

/** A call that waits for a look. */
export interface Looker {
  /** Undefined: the database does not answer. */
  looked(marks: Marks | undefined): void;
}

/**
 * The last look at the marks of each account, as good as a new one for a read about to leave: if it is too old, no call
 * can join the read.
 */
export class RememberedLooks {
  readonly #marks: Pick<WriteMarks, 'look'>;
  readonly #last = new Map<string, Marks>();
  /** Calls that wait for a look at the end of this turn of the event loop, by account. */
  #due = new Map<string, Looker[]>();

  constructor(marks: Pick<WriteMarks, 'look'>) {
    this.#marks = marks;
  }

  /** The last look if it found no write in progress; otherwise undefined. */
  remembered(accountId: string): Marks | undefined {
    return this.#last.get(accountId);
  }

  /** Throws `StoreFault`. */
  async look(accountId: string): Promise<Marks> {
    const marks = await this.#marks.look(accountId);
    if (this.#last.size >= MOST_LOOKS) this.#last.clear();
    if (isQuiet(marks, EVERY_WRITE)) this.#last.set(accountId, marks);
    else this.#last.delete(accountId);
    return marks;
  }

  /** One look for all callers that need the same account in this turn. */
  soon(accountId: string, looker: Looker): void {
    if (this.#due.size === 0) setImmediate(this.#endTurn);
    const lookers = this.#due.get(accountId);
    if (lookers === undefined) this.#due.set(accountId, [looker]);
    else lookers.push(looker);
  }

  readonly #endTurn = (): void => {
    const due = this.#due;
    this.#due = new Map();
    for (const [accountId, lookers] of due) {
      const tell = (marks?: Marks): void => {
        for (const looker of lookers) looker.looked(marks);
      };
      this.look(accountId).then(tell, () => {
        tell();
      });
    }
  };
}
