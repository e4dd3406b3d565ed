import { insert } from '../../../lib/text/sorted.ts';

/**
 * When waiting requests may go. The service's rolling window alone would let sixty through in a moment and then nobody for a
 * minute; so half of the limit goes at once, and what is left of the window is spread over it, one by one.
 */
export interface PacingState {
  /** All times are milliseconds of one clock. */
  readonly now: number;
  /** When a request was let through for the last time. */
  readonly last: number;
  readonly window: number;
  /** Permits that nobody uses. */
  readonly free: number;
  /** When each of the others is free at the earliest, soonest first. */
  readonly releases: readonly number[];
  /** So many may be in use before anybody has to wait for his turn. */
  readonly burst: number;
}

/** So many may be in use before requests are let through one by one. */
export const burstOf = (limit: number): number => Math.ceil(limit / 2);

/**
 * The moment of the next turn. The turns from the last one on are to be as evenly spaced as the releases allow: the turn n
 * cannot come before its permit is free, so the first is as far away as the steepest line from the last turn to any of
 * those. One point more stands for the permit of the first turn, which is free again a window from now.
 */
export function nextTurn({ now, last, window, free, releases, burst }: PacingState): number {
  if (free > 0 && releases.length < burst) return now;
  const end = now + window;
  // Who has not been here for a window is owed nothing more.
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

/** The turns to come, if no answer comes early and nothing comes back unsent; worked out as far as somebody asks. */
export class Turns {
  readonly #turns: number[] = [];
  readonly #state: Writable<PacingState> & { readonly releases: number[] };

  constructor(state: PacingState) {
    this.#state = { ...state, releases: [...state.releases] };
  }

  /** A lower bound for the moment of a turn; the first has the number 0. */
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
