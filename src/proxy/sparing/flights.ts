/**
 * Reads in progress whose answers others may have as well, those who wait for them, and the looks at the marks of the
 * accounts' writes (`write-marks.ts`) that decide who may.
 */
import type { Marks, Touches, WriteMarks } from '../../features/writes/rows/write-marks.ts';
import { isQuiet, isUntouched } from '../../features/writes/rows/write-marks.ts';
import type { Destination, UpstreamAnswer, UpstreamRequest } from '../../upstream/model.ts';
import type { ReadFlight } from '../../upstream/read-flight.ts';
import type { SharedAnswer } from '../../upstream/ready-read.ts';
import { answerOf, heldAnswer, isWhole } from './held-answer.ts';

/** Every write of the account concerns a read that is shared. */
export const EVERY_WRITE: Touches = () => true;

/** In bytes: nobody waits for a longer answer, which is passed on as it arrives. */
export const LONGEST_SHARED = 4 * 1_024 * 1_024;

/** Accounts of which reads are in progress or were lately. */
const MOST_ACCOUNTS = 20_000;

/** What is read, and of whom. */
export interface Question extends Pick<UpstreamRequest, 'segments' | 'query'> {
  readonly to: Destination;
}

/** Waits for the answer to a read in progress. */
export interface Waiter {
  /** Undefined: there is none that could be shared. */
  told(answer: SharedAnswer | undefined): void;
}

/** The reads in progress, of all accounts. An account has few at a time, because its permits are few. */
export class Flights {
  readonly #accounts = new Map<string, Flight[]>();

  find(question: Question): Flight | undefined {
    const flights = this.#accounts.get(question.to.accountId);
    if (flights !== undefined)
      for (const flight of flights) if (isSame(flight.question, question)) return flight;
    return undefined;
  }

  /** `marks`: of the account, from before it leaves. From now on it is the one to join. */
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
  readonly #marks: Marks;
  /** Of its account, the newest first. */
  readonly #flights: Flight[];
  #waiting: Waiter[] = NOBODY;

  constructor(flights: Flight[], question: Question, marks: Marks) {
    this.#flights = flights;
    this.question = question;
    this.#marks = marks;
    flights.unshift(this);
  }

  /** Whether its answer is good enough for who arrived before this look. */
  fits(marks: Marks): boolean {
    return isUntouched(this.#marks, marks, EVERY_WRITE);
  }

  /** From now on the answer is kept for `waiter`, unless it `leave`s. */
  join(waiter: Waiter): void {
    if (this.#waiting === NOBODY) this.#waiting = [];
    this.#waiting.push(waiter);
  }

  leave(waiter: Waiter): void {
    const at = this.#waiting.indexOf(waiter);
    if (at !== -1) this.#waiting.splice(at, 1);
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

  /** Shares the answer if anybody waits for it; returns it for who asked. */
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

/** Nobody waits for nearly every read: one empty list serves them all. */
const NOBODY: Waiter[] = [];

/** Whether two ask the service for the same. */
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

/** Accounts; a look takes some hundred bytes each. */
const MOST_LOOKS = 20_000;

/** Waits for a look. */
export interface Looker {
  /** Undefined: the database does not answer. */
  looked(marks: Marks | undefined): void;
}

/**
 * The last look at the marks of each account. It is as good as one made now for a read that is about to leave: at worst
 * it is too old, and nobody joins.
 */
export class RememberedLooks {
  readonly #marks: Pick<WriteMarks, 'look'>;
  readonly #last = new Map<string, Marks>();
  /** Those who wait for a look that begins at the end of this turn of the event loop, by account. */
  #due = new Map<string, Looker[]>();

  constructor(marks: Pick<WriteMarks, 'look'>) {
    this.#marks = marks;
  }

  /** It found no write in progress; undefined: there was none, or it did. */
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

  /** One look for all who ask for the same account in this turn. */
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
