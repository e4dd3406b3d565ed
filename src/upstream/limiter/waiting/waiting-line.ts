import { Failure } from '../../../lib/failure.ts';
import type { Priority } from '../../model.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import type { Slot } from '../slot.ts';

/** How one request waits. */
export interface Wait {
  readonly millis: number;
  readonly priority: Priority;
  readonly signal: AbortSignal | undefined;
}

/** A request that waits, until it is granted a permit or refused. */
export interface Waiter {
  readonly since: number;
  readonly priority: Priority;
  /** From then on the waiter may be refused. */
  readonly until: number;
  grant(slot: Slot): void;
  refuse(failure: Failure): void;
}

interface Placed {
  readonly waiter: Waiter;
  readonly place: number;
}

/**
 * The handicap of a request against a write that arrived at the same moment, in milliseconds. A request that
 * has waited longer than that is no longer overtaken: a customer who only writes does not starve its own
 * reads.
 */
const BEHIND: Readonly<Record<Priority, number>> = {
  write: 0,
  read: 10 * SECOND,
  list: 20 * SECOND,
  background: 60 * SECOND,
};

/**
 * Requests waiting for one key: writes first, then single reads, then lists, then the bridge's own; each kind
 * in order.
 */
export class WaitingLine {
  /** How many wait; a field, because every call asks. */
  length = 0;
  #waiters: readonly Waiter[] = [];

  /** How many would be ahead of one that arrived now. */
  placeOf(priority: Priority, now: number): number {
    const at = this.#waiters.findLastIndex((other) => orderOf(other) <= now + BEHIND[priority]);
    return at + 1;
  }

  add(waiter: Waiter): void {
    const place = this.placeOf(waiter.priority, waiter.since);
    this.#keep(this.#waiters.toSpliced(place, 0, waiter));
  }

  remove(waiter: Waiter): void {
    this.#keep(this.#waiters.filter((other) => other !== waiter));
  }

  /** Removes and returns the first `count`. */
  take(count: number): readonly Waiter[] {
    const taken = this.#waiters.slice(0, count);
    this.#keep(this.#waiters.slice(count));
    return taken;
  }

  /** Removes all for whom `isHopeless`, which gets the position that each would have in the queue. */
  sift(isHopeless: (waiter: Waiter, place: number) => boolean): readonly Placed[] {
    const staying: Waiter[] = [];
    const leaving: Placed[] = [];
    for (const waiter of this.#waiters) {
      const place = staying.length;
      if (isHopeless(waiter, place)) leaving.push({ waiter, place });
      else staying.push(waiter);
    }
    this.#keep(staying);
    return leaving;
  }

  #keep(waiters: readonly Waiter[]): void {
    this.#waiters = waiters;
    this.length = waiters.length;
  }

  /** How long each has waited, less the handicap of its kind: with this all instances form one queue. */
  waits(now: number): readonly number[] {
    return this.#waiters.map((waiter) => now - orderOf(waiter));
  }

  /** When the first of them runs out of patience. */
  get firstEnd(): number {
    return Math.min(...this.#waiters.map(({ until }) => until));
  }
}

const orderOf = ({ since, priority }: Waiter): number => since + BEHIND[priority];

/** The failure of a call that would wait in vain; `millis`: until a retry makes sense. */
export const exhausted = (millis: number): Failure =>
  new Failure('budgetExhausted', { retryAfter: Math.max(1, Math.ceil(millis / SECOND)) });

/** The failure of a call whose caller disconnected. */
export const gone = (): Failure => new Failure('upstreamUnavailable', { text: 'The call was given up' });
