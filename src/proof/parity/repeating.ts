/**
 * When an account that waits is compared again. Each read is a call to V1 and to V3, and V3 may have a limit for the
 * whole day, so what was alike is compared once a day, and right before the move.
 */
import type { Comparison, ParityMoment } from '../../features/cutover/parity/model.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time/clock.ts';

/** `open`: only what was different or not compared. */
export type Repetition = 'nothing' | 'open' | 'everything';

/** A comparison that ended without a result. */
export interface ComparisonFailure {
  readonly at: number;
  readonly why: string;
  /** The one before it ended in the same way. */
  readonly isAgain: boolean;
}

/** What is known of an account. */
export interface KnownComparisons {
  /** Through its present connection, oldest first. */
  readonly runs: readonly Comparison[];
  /** Since the last of them. */
  readonly failure: ComparisonFailure | undefined;
  /** Whether the last one lets the account move. */
  readonly passes: boolean;
}

/** The greatest age of a comparison of all reads. */
const OLDEST_WAITING = DAY;
const OLDEST_MOVING = HOUR;

/** `begun`: when the check began that needs the comparison. */
export function repetitionOf(
  known: KnownComparisons,
  moment: ParityMoment,
  begun: number,
  now: number,
): Repetition {
  const { runs, failure, passes } = known;
  if (failure !== undefined) return isResting(failure, now) ? 'nothing' : 'everything';
  const last = runs.at(-1);
  if (!isDated(last, now)) return 'everything';
  // It costs nothing, and a program may have made its first call.
  if (last.reads === 0) return last.at < begun ? 'everything' : 'nothing';
  if (now - wholeSince(last) >= oldestOf(passes, moment)) return 'everything';
  return passes || now - last.at < restOf(last, runs.at(-2)) ? 'nothing' : 'open';
}

/** Instances whose clocks differ by less are in order. */
const MOST_AHEAD = MINUTE;

/** The clock has been set back since, so nobody knows how old it is. */
const isAhead = (at: number, now: number): boolean => at > now + MOST_AHEAD;

/** Whether there is one, and its age is known. */
const isDated = (last: Comparison | undefined, now: number): last is Comparison =>
  last !== undefined && !isAhead(last.at, now) && !isAhead(wholeSince(last), now);

const isResting = (failure: ComparisonFailure, now: number): boolean =>
  !isAhead(failure.at, now) && now - failure.at < restAfter(failure);

const oldestOf = (passes: boolean, moment: ParityMoment): number =>
  passes && moment !== 'waiting' ? OLDEST_MOVING : OLDEST_WAITING;

/** Since when each of its reads was compared. */
export const wholeSince = ({ wholeAt, at }: Comparison): number => wholeAt ?? at;

/** The pause after a comparison, and after one that a temporary fault ended, unless it ended as the one before it. */
const REST = HOUR;
const FIRST_REST = MINUTE;

const restOf = (last: Comparison, before: Comparison | undefined): number =>
  last.isUnfinished && !endedAs(last, before) ? FIRST_REST : REST;

const restAfter = ({ isAgain }: ComparisonFailure): number => (isAgain ? REST : FIRST_REST);

/** Whether the same reads could not be compared for the same reasons. */
const endedAs = (last: Comparison, before: Comparison | undefined): boolean =>
  before !== undefined && pendingIn(last) === pendingIn(before);

const pendingIn = ({ uncompared }: Comparison): string =>
  JSON.stringify(
    uncompared
      .filter(({ isTemporary }) => isTemporary === true)
      .map(({ method, reads, why }) => [method, reads, why].join(' '))
      .toSorted(),
  );
