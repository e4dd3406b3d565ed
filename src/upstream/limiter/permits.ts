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
  /** Of requests that have no answer yet. */
  out = 0;
  /** Of requests whose answer has not arrived whole. */
  open = 0;
  /** How many of those the service allows. */
  readonly concurrent: number;
  /** When a request was last let through. */
  last = -Infinity;
  readonly #clock: Clock;
  readonly #latestHandling: number;
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

  constructor(clock: Clock, latestHandling: number, concurrent = Infinity) {
    this.#clock = clock;
    this.concurrent = concurrent;
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
    const unanswered = this.out + this.#abandoned.length;
    return { inUse: unanswered + this.#answered.length, unanswered };
  }

  /** How many requests may go before one of those in progress ends. */
  get slots(): number {
    return this.concurrent - this.open;
  }

  get isIdle(): boolean {
    return this.inUse === 0 && (this.open === 0 || this.concurrent === Infinity);
  }

  /** How long one of them may still count at the service, in milliseconds. */
  countsFor(now: number): number {
    const latest = this.out > 0 ? this.#latestHandling + WINDOW : 0;
    return Math.max(latest, (this.releases.at(-1) ?? now) - now);
  }

  /** In how many milliseconds those without a request in progress are free. */
  busyFor(now: number): readonly number[] {
    return this.releases.map((at) => at - now);
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

  answered(): void {
    this.out -= 1;
    const now = this.#clock.now();
    const free = now + WINDOW;
    this.#answered.add(free);
    this.#nextFree = Math.min(this.#nextFree, free);
    this.#seen = Math.max(this.#seen, now);
    this.#releases = undefined;
  }

  unsent(): void {
    this.inUse -= 1;
    this.out -= 1;
  }

  /** `leftAt`: no byte left before. */
  abandoned(leftAt: number): void {
    this.out -= 1;
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

/** What a permit belongs to. */
export interface PermitParts {
  readonly permits: Permits;
  readonly clock: Clock;
  readonly permitsHeld: PermitsHeld | undefined;
  /** Called when another request may be able to go. */
  readonly ended: () => void;
}

/** The right to send one request; ending it twice has no effect. */
export class Permit implements Slot {
  readonly #parts: PermitParts;
  /** The moment at which the shared store granted it. */
  readonly #moment: number;
  #isOut = true;
  #isOpen = true;
  #leftAt: number | undefined;

  /** For one request that goes now. */
  constructor(parts: PermitParts, now: number) {
    const { permits, permitsHeld } = parts;
    this.#parts = parts;
    permits.inUse += 1;
    permits.out += 1;
    permits.open += 1;
    permits.last = now;
    permitsHeld?.took(now);
    this.#moment = permitsHeld?.moment ?? 0;
  }

  get lapsed(): boolean {
    return this.#parts.permitsHeld?.lapsedSince(this.#moment) === true;
  }

  left(): void {
    this.#leftAt = this.#parts.clock.now();
  }

  answered(): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.#parts.permits.answered();
    this.#parts.ended();
  }

  abandoned(): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.#parts.permits.abandoned(this.#leftAt ?? this.#parts.clock.now());
    this.#parts.ended();
  }

  unsent(): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    this.#parts.permits.unsent();
    this.#parts.permitsHeld?.returned(this.#moment);
    this.ended();
    this.#parts.ended();
  }

  ended(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { permits, ended } = this.#parts;
    permits.open -= 1;
    // Only while all were in progress can a request have waited for this one's end.
    if (permits.open >= permits.concurrent - 1) ended();
  }
}
