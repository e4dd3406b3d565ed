import type { StageName } from './account.ts';
import { DAY } from '../../lib/time/clock.ts';

/** Kind of the timeline entry for the notes of a conversation with the customer. */
export const TALK = 'talk';

/**
 * An entry of any account's timeline, in one order for the whole database. `seq` increases with each entry,
 * and no entry with a smaller one ever becomes visible later, so a reader who has read up to a number has
 * missed nothing.
 */
export interface FeedEvent {
  readonly seq: number;
  readonly accountId: string;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly detail: string;
  /** Undefined: the entry changed no stage. `from` is undefined if the account was created. */
  readonly transition: { readonly from: StageName | undefined; readonly to: StageName } | undefined;
}

/** How many accounts are at each stage. */
export type StageCounts = Readonly<Record<StageName, number>>;

/** How many accounts were at each stage at the end of a day (UTC); for today, so far. */
export interface DayCounts {
  /** `2026-11-20`. */
  readonly day: string;
  readonly counts: StageCounts;
}

/** The history of all accounts. Every change of an account writes its entry in the same transaction. */
export interface HistoryRepository {
  /** Entries after `seq`, in order, at most `limit`; on request only those that changed a stage. */
  since(
    seq: number,
    options: { readonly limit: number; readonly transitionsOnly?: boolean },
  ): Promise<readonly FeedEvent[]>;
  /**
   * Ids of the accounts that have an entry of the kind `asked`, not older than `from`, and no later one of the kinds
   * `answers`.
   */
  unanswered(asked: string, answers: readonly string[], from?: number): Promise<readonly string[]>;
  /** The highest number so far; 0 if nothing has happened. */
  latest(): Promise<number>;
  /** In order and without gaps, from the first day to that of `now`, whether stored or not. */
  days(now: number): Promise<readonly DayCounts[]>;
  /** Stores the counts of today and of every day since the last stored one. Idempotent. */
  record(now: number): Promise<void>;
}

/** The number of stage changes of one kind within one day. */
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
 * The counts of each day from `first` to `today`, calculated backwards from the current ones, so that an
 * error in an old day never affects a later one. Changes dated after today, because a clock was set back,
 * count as today's.
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

/** The counts before anything has happened. */
export const noAccounts: StageCounts = {
  legacy: 0,
  'awaiting-operator': 0,
  consented: 0,
  migrated: 0,
  lost: 0,
  closed: 0,
};
