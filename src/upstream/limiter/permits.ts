/**
 * The permits of one key that are in use, and when each of them is free again.
 *
 * A permit belongs to one request and ends in one of three ways: answered (free a minute later), abandoned
 * without an answer (free a minute after the service's latest handling, `latestHandling`), or unsent (free at
 * once). Times are kept in ascending lists, so that `expire` only looks at the front; what killed processes
 * left behind (`inherit`) is kept apart, because it ends with those processes and not with a request. A clock
 * that is set back never makes a permit last longer than it would have.
 */
import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import { insert, merge } from '../../lib/text/sorted.ts';
import type { PermitsHeld } from './permits-held.ts';
import type { Slot } from './slot.ts';
import type { InheritedPermits, PermitsInUse } from './written-permits.ts';

/** The window of the limit. */
export const WINDOW = MINUTE;

/**
 * The permits in use for one key: those of requests in progress, of answered ones until a minute later, and
 * of those given up without an answer until a minute after the service may last handle them.
 */
export class Permits {
  /** How many; a field, because every call asks. */
  inUse = 0;
  /** When a request was last let through. */
  last = -Infinity;
  readonly #clock: Clock;
  readonly #latestHandling: number;
  #out = 0;
  /** When each is free, in order. */
  readonly #answered = new Times();
  readonly #abandoned = new Times();
  /** Those of processes that have ended. */
  readonly #inheritedAnswered = new Times();
  readonly #inheritedAbandoned = new Times();
  /** Each with how long a permit in it may be held. */
  readonly #lists: readonly { readonly times: Times; readonly longest: number }[];
  /** All of them together, until one of them changes. */
  #releases: readonly number[] | undefined;
  /** Nothing is free before this, unless the clock is set back before `#seen`. */
  #nextFree = -Infinity;
  #seen = -Infinity;

  constructor(clock: Clock, latestHandling: number) {
    this.#clock = clock;
    this.#latestHandling = latestHandling;
    const longest = latestHandling + WINDOW;
    this.#lists = [
      { times: this.#answered, longest: WINDOW },
      { times: this.#abandoned, longest },
      { times: this.#inheritedAnswered, longest: WINDOW },
      { times: this.#inheritedAbandoned, longest },
    ];
  }

  /** Without those of processes that have ended. */
  get own(): PermitsInUse {
    const unanswered = this.#out + this.#abandoned.length;
    return { inUse: unanswered + this.#answered.length, unanswered };
  }

  get out(): number {
    return this.#out;
  }

  /** When those without a request in progress are free, in order. */
  get releases(): readonly number[] {
    if (this.#releases === undefined) {
      const others = [this.#abandoned, this.#inheritedAnswered, this.#inheritedAbandoned];
      // A list of its own: the other is changed with the next permit.
      this.#releases = others.reduce<readonly number[]>(
        (merged, { all }) => merge(merged, all),
        [...this.#answered.all],
      );
    }
    return this.#releases;
  }

  /** For one request that goes now. `ended`: called when it is no longer in progress. */
  take(now: number, held: PermitsHeld | undefined, ended: () => void): Slot {
    this.inUse += 1;
    this.#out += 1;
    this.last = now;
    held?.took(now);
    return new Permit(this, this.#clock, held, ended);
  }

  answered(): void {
    this.#out -= 1;
    const now = this.#clock.now();
    const free = now + WINDOW;
    this.#answered.add(free);
    this.#nextFree = Math.min(this.#nextFree, free);
    this.#seen = Math.max(this.#seen, now);
    this.#releases = undefined;
  }

  unsent(): void {
    this.inUse -= 1;
    this.#out -= 1;
  }

  /** `leftAt`: no byte left before. */
  abandoned(leftAt: number): void {
    this.#out -= 1;
    const now = this.#clock.now();
    const latest = Math.max(now, Math.min(leftAt, now) + this.#latestHandling);
    this.#abandoned.add(latest + WINDOW);
    this.#nextFree = -Infinity;
    this.#releases = undefined;
  }

  /** Permits that earlier processes may have used, longest ended first. */
  inherit(processes: readonly InheritedPermits[]): void {
    for (const { inUse, unanswered, at } of processes) {
      this.inUse += Math.max(inUse, unanswered);
      for (let count = unanswered; count < inUse; count += 1) this.#inheritedAnswered.add(at + WINDOW);
      for (let count = 0; count < unanswered; count += 1)
        this.#inheritedAbandoned.add(at + this.#latestHandling + WINDOW);
    }
    this.#nextFree = -Infinity;
    this.#releases = undefined;
  }

  /** Frees expired permits. If the clock is set back, nothing may be held longer than it would have been. */
  expire(now: number): void {
    if (now >= this.#nextFree || now < this.#seen) this.#expire(now);
    this.#seen = now;
  }

  #expire(now: number): void {
    this.#nextFree = Infinity;
    for (const { times, longest } of this.#lists) {
      this.inUse -= times.length;
      if (times.expire(now, now + longest)) this.#releases = undefined;
      this.inUse += times.length;
      this.#nextFree = Math.min(this.#nextFree, times.first);
    }
  }
}

/** Expired times that are kept until the list is made anew: then each costs the same, however many there are. */
const LEFT = 32;

/** Times in ascending order, of which the first expire one by one. */
export class Times {
  /** Those that have not expired. */
  length = 0;
  #all: number[] = [];
  /** Where they begin. */
  #begin = 0;

  get first(): number {
    return this.#all[this.#begin] ?? Infinity;
  }

  get all(): readonly number[] {
    return this.#list();
  }

  add(time: number): void {
    if (this.length === 0 || time >= (this.#all.at(-1) ?? 0)) this.#all.push(time);
    else insert(this.#list(), time);
    this.length += 1;
  }

  /** Drops those that are over; none is later than `latest` afterwards. False: nothing has changed. */
  expire(now: number, latest: number): boolean {
    const { length } = this;
    const isTooLate = length > 0 && (this.#all.at(-1) ?? 0) > latest;
    if (isTooLate) this.#all = this.#list().map((time) => Math.min(time, latest));
    for (; this.length > 0 && this.first <= now; this.length -= 1) this.#begin += 1;
    if (this.#begin > LEFT && this.#begin * 2 > this.#all.length) this.#list();
    return isTooLate || this.length < length;
  }

  /** Without those that have expired. */
  #list(): number[] {
    if (this.#begin > 0) this.#all = this.#all.slice(this.#begin);
    this.#begin = 0;
    return this.#all;
  }
}

/** The right to send one request; ending it twice has no effect. */
class Permit implements Slot {
  readonly #permits: Permits;
  readonly #clock: Clock;
  readonly #held: PermitsHeld | undefined;
  readonly #ended: () => void;
  /** The moment at which the shared store granted it. */
  readonly #moment: number;
  #isOut = true;
  #leftAt: number | undefined;

  constructor(permits: Permits, clock: Clock, held: PermitsHeld | undefined, ended: () => void) {
    this.#permits = permits;
    this.#clock = clock;
    this.#held = held;
    this.#ended = ended;
    this.#moment = held?.moment ?? 0;
  }

  get lapsed(): boolean {
    return this.#held?.lapsedSince(this.#moment) === true;
  }

  left(): void {
    this.#leftAt = this.#clock.now();
  }

  answered(): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.#permits.answered();
    this.#ended();
  }

  abandoned(): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.#permits.abandoned(this.#leftAt ?? this.#clock.now());
    this.#ended();
  }

  unsent(): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.#permits.unsent();
    this.#held?.returned(this.#moment);
    this.#ended();
  }
}
