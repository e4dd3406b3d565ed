/**
 * Brown-outs: announced hours in which the reads of accounts that still use V1 are refused on purpose, so that somebody
 * looks at a program whose owner does not read e-mail. Writes are never refused, and accounts with a consent are left
 * alone.
 */
import { DAY, MINUTE } from '../../../lib/time/clock.ts';

/** The period, in milliseconds since the epoch. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** `planned`: announced. `stopped`: by a person, before its end. */
export const brownoutStates = ['planned', 'running', 'over', 'stopped'] as const;
export type BrownoutState = (typeof brownoutStates)[number];

/** A brown-out with its state at some moment and its results. */
export interface Brownout extends StoredBrownout {
  readonly state: BrownoutState;
}

/** The same without the state, which depends on the time. */
export interface StoredBrownout extends Window {
  readonly id: string;
  /** The accounts at the time of planning, as filters of the list of accounts. */
  readonly query: string;
  readonly plannedAt: number;
  readonly who: string;
  readonly stopped: { readonly at: number; readonly who: string } | undefined;
  readonly accounts: number;
  /** Reads that were refused, and the accounts of the programs that made them. */
  readonly refused: number;
  readonly refusedAccounts: number;
  /** Customers in it who have consented since it began, and how many of those had reads refused. */
  readonly consented: number;
  readonly consentedAfterRefusal: number;
}

/** In milliseconds. Announced at least this long before, so that it surprises nobody. */
const SHORTEST_NOTICE = DAY;
/** Longer ones are an outage. */
const LONGEST = 240 * MINUTE;
const SHORTEST = 5 * MINUTE;

/** The state at `now`. */
export function stateOf(
  { from, to, stopped }: Pick<StoredBrownout, 'from' | 'to' | 'stopped'>,
  now: number,
): BrownoutState {
  if (stopped !== undefined) return 'stopped';
  if (now < from) return 'planned';
  return now < to ? 'running' : 'over';
}

/** Why such a window is not allowed; undefined if it is. */
export function windowFault({ from, to }: Window, now: number): string | undefined {
  if (!(from >= now + SHORTEST_NOTICE))
    return 'it must begin at least 24 hours from now: it is announced first';
  if (!(to - from >= SHORTEST && to - from <= LONGEST)) return 'it must last 5 to 240 minutes';
  return undefined;
}
