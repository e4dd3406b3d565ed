/**
 * A read on the fast path that waits for the answer to an identical one instead of leaving itself.
 *
 * It needs two things: that answer, and a look at the marks of the account's writes from after the call arrived, which
 * decides whether the answer is recent enough. With both, the call gets the body; if one is missing, the general path
 * serves the call, with the answer if the fast path cannot use it.
 */
import type { Marks } from '../../features/writes/rows/write-marks.ts';
import type { SentRequest } from '../../upstream/model.ts';
import type { HandedOver, PromptRead, ReadCaller, SharedAnswer } from '../../upstream/ready-read.ts';
import { isSame, type Flight, type Looker, type Question, type Waiter } from './flights.ts';

/** One call that has joined a read in progress. */
export class JoinedRead implements PromptRead, SentRequest, Waiter, Looker {
  /** No call waits for this one. */
  readonly flight = undefined;
  /** When it began to wait, in milliseconds since the epoch. */
  readonly since: number;
  readonly #flight: Flight;
  readonly #count: () => void;
  #caller: ReadCaller | undefined;
  #state: 'waiting' | 'shared' | 'missed' | 'over' = 'waiting';
  #isGoodEnough = false;
  #answer: SharedAnswer | undefined;

  /** `count` is called once the call has got an answer. */
  constructor(flight: Flight, since: number, count: () => void) {
    this.since = since;
    this.#flight = flight;
    this.#count = count;
    flight.join(this);
  }

  send(caller: ReadCaller): void {
    this.#caller = caller;
    this.#tellCaller();
  }

  told(answer: SharedAnswer | undefined): void {
    this.#answer = answer;
    if (answer === undefined) this.#become('missed');
    else if (this.#isGoodEnough) this.#become('shared');
  }

  looked(marks: Marks | undefined): void {
    this.#isGoodEnough = marks !== undefined && this.#flight.fits(marks);
    if (!this.#isGoodEnough) this.#become('missed');
    else if (this.#answer !== undefined) this.#become('shared');
  }

  /** No request is in progress here, so the general path begins anew, with the answer if there is one. */
  handOver(): HandedOver {
    if (this.#state !== 'shared') this.drop();
    return { exchange: undefined, sent: this };
  }

  /** The answer, once and only to the same question. */
  take(question: Question): SharedAnswer | undefined {
    if (this.#state !== 'shared' || !isSame(this.#flight.question, question)) return undefined;
    this.#state = 'over';
    return this.#answer;
  }

  drop(): void {
    this.#state = 'over';
    this.#flight.leave(this);
  }

  left(): void {
    // The original read does this.
  }

  heard(): void {
    // The original read does this.
  }

  answered(): void {
    this.#state = 'over';
  }

  #become(state: 'shared' | 'missed'): void {
    if (this.#state !== 'waiting') return;
    this.#state = state;
    if (state === 'shared') this.#count();
    else this.#flight.leave(this);
    this.#tellCaller();
  }

  #tellCaller(): void {
    if (this.#caller === undefined) return;
    if (this.#state === 'shared' && this.#answer !== undefined) this.#caller.shared(this.#answer);
    else if (this.#state === 'missed') this.#caller.missed();
  }
}
