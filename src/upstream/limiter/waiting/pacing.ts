import { insert } from '../../../lib/text/sorted.ts';

/**
 * When waiting requests may go. The service's rolling window alone would let sixty through at once and then
 * nobody for a minute. So half of the limit goes at once, and the other half is spread over the rest of the
 * window, one at a time.
 */
export interface PacingState {
  /** All times are milliseconds of one clock. */
  readonly now: number;
  /** When a request was last let through. */
  readonly last: number;
  readonly window: number;
  /** Permits that nobody uses. */
  readonly free: number;
  /** When each of the others is free at the earliest, soonest first. */
  readonly releases: readonly number[];
  /** Permits that may be in use before anybody has to wait. */
  readonly burst: number;
}

/** Permits that may be in use before requests are let through one at a time. */
export const burstOf = (limit: number): number => Math.ceil(limit / 2);

/**
 * The time of the next turn. The turns after the last one are spaced as evenly as the releases allow. Turn n
 * cannot come before its permit is free, so the first is as far away as the steepest line from the last turn
 * to any of those points. One more point stands for the permit of the first turn, which is free again one
 * window from now.
 */
export function nextTurn({ now, last, window, free, releases, burst }: PacingState): number {
  if (free > 0 && releases.length < burst) return now;
  const end = now + window;
  // A key that was idle for a window has no claim from the past.
  const from = Math.min(now, Math.max(last, now - window));
  let turn = Math.max(0, free);
  let step = 0;
  for (const at of releases) {
    if (at > end) break;
    turn += 1;
    step = Math.max(step, (at - from) / turn);
  }
  if (turn === 0) return releases[0] ?? end;
  const paced = Math.ceil(from + Math.max(step, (end - from) / (turn + 1)));
  return Math.max(now, Math.min(paced, releases[releases.length - burst] ?? Infinity));
}

/**
 * The coming turns, if no answer comes early and nothing comes back unsent; calculated only as far as needed.
 */
export class Turns {
  readonly #turns: number[] = [];
  readonly #state: Writable<PacingState> & { readonly releases: number[] };

  constructor(state: PacingState) {
    this.#state = { ...state, releases: [...state.releases] };
  }

  /** A lower bound for the time of a turn; the first has the number 0. */
  at(place: number): number {
    while (this.#turns.length <= place) this.#turns.push(this.#next());
    return this.#turns[place] ?? Infinity;
  }

  #next(): number {
    const { releases, window } = this.#state;
    do this.#pass(nextTurn(this.#state));
    while (this.#state.free <= 0 && releases.length > 0);
    const { now } = this.#state;
    insert(releases, now + window);
    this.#state.last = now;
    this.#state.free -= 1;
    return now;
  }

  #pass(now: number): void {
    const { releases } = this.#state;
    let free = 0;
    while ((releases[free] ?? Infinity) <= now) free += 1;
    releases.splice(0, free);
    this.#state.free += free;
    this.#state.now = now;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
