/**
 * What is known of the coming permits of one key: those of this instance and, if several share the limit, those of the
 * others. `PermitWindow` refuses by it at once what would wait in vain.
 */
import { merge } from '../../../lib/text/sorted.ts';
import type { PermitsHeld } from '../permits-held.ts';
import { WINDOW, type Permits } from '../permits.ts';
import { burstOf, Turns, type PacingState } from './pacing.ts';

/** What a forecast is made from. */
export interface ForecastParts {
  readonly permits: Permits;
  /** Undefined: the whole limit is here. */
  readonly permitsHeld: PermitsHeld | undefined;
  readonly limit: number;
  /** How many calls go at once before any has to wait; undefined: half of the limit. */
  readonly burst: number | undefined;
}

/** The pace of one key. */
export class Forecast {
  readonly #parts: ForecastParts;

  constructor(parts: ForecastParts) {
    this.#parts = parts;
  }

  /** Requests that may count at once. */
  cap(): number {
    const { permits, permitsHeld, limit } = this.#parts;
    return permitsHeld?.cap(permits.inUse) ?? limit;
  }

  /** How many calls go at once if there are this many permits. */
  burst(of: number): number {
    return Math.min(of, this.#parts.burst ?? burstOf(of));
  }

  /** What the next turn of this instance depends on. */
  pacing(now: number): PacingState {
    const { permits } = this.#parts;
    const cap = this.cap();
    const free = cap - permits.inUse;
    const releases = this.#releases(now);
    return { now, last: permits.last, window: WINDOW, free, releases, burst: this.burst(cap) };
  }

  /** Returns a lower bound for when the waiter at a position in the queue can go, if nothing goes before `open`. */
  turns(now: number, open: number): (place: number) => number {
    const known = this.#outlook(now);
    if (known === undefined) return () => open;
    const turns = new Turns(known);
    return (place) => Math.max(turns.at(place), open);
  }

  /** When each permit in use is free at the earliest: one without an answer is at least a minute away. */
  #releases(now: number): readonly number[] {
    const { out, releases } = this.#parts.permits;
    return merge(releases, new Array<number>(out).fill(now + WINDOW));
  }

  /** What is known about all permits of the key; undefined: nothing. */
  #outlook(now: number): PacingState | undefined {
    const { permitsHeld, limit } = this.#parts;
    const own = this.pacing(now);
    if (permitsHeld === undefined) return own;
    const others = permitsHeld.outlook(now);
    if (others === undefined) return undefined;
    return {
      ...own,
      last: others.last ?? own.last,
      free: Math.max(0, own.free) + others.idle,
      releases: merge(own.releases, others.foreign),
      burst: permitsHeld.isShared ? this.burst(limit) : own.burst,
    };
  }
}
