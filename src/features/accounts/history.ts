import type { StageName } from './account.ts';
import { DAY } from '../../lib/time/clock.ts';

/**
 * One line of every account's timeline, in one order for the whole database: `seq` grows by one with each, and a line
 * with a smaller one never becomes visible later, so that who has read up to a number has missed nothing.
 */
export interface FeedEvent {
  readonly seq: number;
  readonly accountId: string;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly detail: string;
  /** Undefined: the line came with no change of stage. `from` is undefined where the account came into being. */
  readonly transition: { readonly from: StageName | undefined; readonly to: StageName } | undefined;
}

/** How many accounts are at each stage. */
export type StageCounts = Readonly<Record<StageName, number>>;

/** How many accounts were in each stage when a day (UTC) ended; the last one is today, so far. */
export interface DayCounts {
  /** `2026-11-20`. */
  readonly day: string;
  readonly counts: StageCounts;
}

/** What has happened to all accounts together. Written with each change, by whoever changes an account. */
export interface HistoryRepository {
  /** Lines after `seq`, in order, `limit` at most; only those that changed a stage, when asked for. */
  since(
    seq: number,
    options: { readonly limit: number; readonly transitionsOnly?: boolean },
  ): Promise<readonly FeedEvent[]>;
  /** The highest number given so far; 0 where nothing has happened. */
  latest(): Promise<number>;
  /** In order, without gaps, from the first day to that of `now`, whether they are written or not. */
  days(now: number): Promise<readonly DayCounts[]>;
  /** Writes the counts of today, and of every day since the last that was written. Idempotent. */
  record(now: number): Promise<void>;
}

/** Changes of stage of one kind within one day. */
export interface DayMoves {
  /** Days since the epoch. */
  readonly day: number;
  readonly from: StageName | undefined;
  readonly to: StageName;
  readonly accounts: number;
}

/** Days since the epoch, UTC. */
export const dayOf = (at: number): number => Math.floor(at / DAY);
/** A day since the epoch as `2026-11-20`. */
export const dayText = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

/**
 * The counts of each day from `first` to `today`, reckoned back from those of now: whatever is wrong about an old day
 * never reaches a younger one. What bears a later date than today's, after a clock was put back, counts as today's.
 */
export function daysBack(
  present: StageCounts,
  moves: readonly DayMoves[],
  first: number,
  today: number,
): readonly DayCounts[] {
  const counts: Record<StageName, number> = { ...present };
  const days: DayCounts[] = [];
  for (let day = today; day >= first; day -= 1) {
    days.push({ day: dayText(day), counts: { ...counts } });
    for (const move of moves) {
      if (Math.min(move.day, today) !== day) continue;
      counts[move.to] -= move.accounts;
      if (move.from !== undefined) counts[move.from] += move.accounts;
    }
  }
  return days.reverse();
}

/** Counts begin here. */
export const noAccounts: StageCounts = {
  legacy: 0,
  'awaiting-operator': 0,
  consented: 0,
  migrated: 0,
  lost: 0,
  closed: 0,
};
