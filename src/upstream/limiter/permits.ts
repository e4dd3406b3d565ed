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
  readonly #clock: Clock;
  readonly #latestHandling: number;
  #out = 0;
  /** When each is free, in order. */
  #answered: number[] = [];
  #abandoned: number[] = [];
  /** Those of processes that have ended. */
  #inheritedAnswered: number[] = [];
  #inheritedAbandoned: number[] = [];
  /** All of them together, until one of them changes. */
  #releases: readonly number[] | undefined;
  /** Nothing is free before this, unless the clock is set back before `#seen`. */
  #nextFree = -Infinity;
  #seen = -Infinity;

  constructor(clock: Clock, latestHandling: number) {
    this.#clock = clock;
    this.#latestHandling = latestHandling;
  }

  get inUse(): number {
    const inherited = this.#inheritedAnswered.length + this.#inheritedAbandoned.length;
    return this.#out + this.#answered.length + this.#abandoned.length + inherited;
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
    return (this.#releases ??= [this.#abandoned, this.#inheritedAnswered, this.#inheritedAbandoned].reduce(
      merge,
      this.#answered,
    ));
  }

  /** For one request. `ended`: called when it is no longer in progress. */
  take(held: PermitsHeld | undefined, ended: () => void): Slot {
    this.#out += 1;
    held?.took();
    return new Permit(this, this.#clock, held, ended);
  }

  answered(): void {
    this.#out -= 1;
    const now = this.#clock.now();
    const free = now + WINDOW;
    if (free >= (this.#answered.at(-1) ?? free)) this.#answered.push(free);
    else insert(this.#answered, free);
    this.#nextFree = Math.min(this.#nextFree, free);
    this.#seen = Math.max(this.#seen, now);
    this.#releases = undefined;
  }

  unsent(): void {
    this.#out -= 1;
  }

  /** `leftAt`: no byte left before. */
  abandoned(leftAt: number): void {
    this.#out -= 1;
    const now = this.#clock.now();
    const latest = Math.max(now, Math.min(leftAt, now) + this.#latestHandling);
    insert(this.#abandoned, latest + WINDOW);
    this.#nextFree = -Infinity;
    this.#releases = undefined;
  }

  /** Permits that earlier processes may have used, longest ended first. */
  inherit(processes: readonly InheritedPermits[]): void {
    for (const { inUse, unanswered, at } of processes) {
      const answered = Array<number>(inUse - unanswered).fill(at + WINDOW);
      const abandoned = Array<number>(unanswered).fill(at + this.#latestHandling + WINDOW);
      this.#inheritedAnswered = this.#inheritedAnswered.concat(answered).sort((a, b) => a - b);
      this.#inheritedAbandoned = this.#inheritedAbandoned.concat(abandoned).sort((a, b) => a - b);
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
    const longest = this.#latestHandling + WINDOW;
    this.#answered = this.#current(this.#answered, now, WINDOW);
    this.#abandoned = this.#current(this.#abandoned, now, longest);
    this.#inheritedAnswered = this.#current(this.#inheritedAnswered, now, WINDOW);
    this.#inheritedAbandoned = this.#current(this.#inheritedAbandoned, now, longest);
    const lists = [this.#answered, this.#abandoned, this.#inheritedAnswered, this.#inheritedAbandoned];
    this.#nextFree = Math.min(...lists.map(([first = Infinity]) => first));
  }

  #current(times: number[], now: number, longest: number): number[] {
    const kept = current(times, now, longest);
    if (kept !== times) this.#releases = undefined;
    return kept;
  }
}

function current(times: number[], now: number, longest: number): number[] {
  const latest = now + longest;
  const kept = (times.at(-1) ?? 0) > latest ? times.map((at) => Math.min(at, latest)) : times;
  let free = 0;
  while ((kept[free] ?? Infinity) <= now) free += 1;
  return free === 0 ? kept : kept.slice(free);
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
