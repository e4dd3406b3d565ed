/** What becomes of a read in a comparison that V1 or V3 did not answer. */
import type { ReadAnswer } from '../../features/writes/settling/reads.ts';
import type { FailureCode } from '../../lib/failure.ts';
import { alike, type ReadVerdict } from '../comparison/verdict.ts';

/** A read and its result. */
export type Outcome =
  | {
      readonly outcome: 'compared';
      readonly by: 'live' | 'baseline';
      readonly api: string;
      readonly verdict: ReadVerdict;
    }
  | { readonly outcome: 'uncompared'; readonly why: string; readonly isTemporary: boolean };

/** Nothing is known about the read. */
export const uncompared = (why: string, isTemporary = false): Outcome => ({
  outcome: 'uncompared',
  why,
  isTemporary,
});

type FailedRead = Extract<ReadAnswer, { answer: 'failed' }>;

/** Why a read cannot be repeated. */
export const FREE_TEXT = 'its request contains free text, which is not kept';
export const READ_ONCE = 'no difference was found, but the reply is too long for the second XML reader';
const NO_BASELINE = 'V1 does not answer, and the reply was too long for the baseline';
const ONLY_V1_REFUSES = 'V1 refuses it, and V3 answers it';

/** A read that both refuse, such as of a deleted record, counts as equal. */
export function refusedByV1(other: ReadAnswer): Outcome {
  if (other.answer === 'refused') return { outcome: 'compared', by: 'live', api: 'v3', verdict: alike };
  if (other.answer === 'read') return uncompared(ONLY_V1_REFUSES);
  return unread(other);
}

/** Failures that the same read meets again, however often it is repeated. */
const LASTING: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'notPermitted',
  'unknownMethod',
  'badRequest',
  'wrongVerb',
]);

/** Whether the same read would fail again. */
export const isLasting = ({ code, ...failed }: FailedRead): boolean =>
  failed.isLasting === true || (code !== undefined && LASTING.has(code));

/** The outcome if V3 or V2 does not answer. */
export const unread = (failed: FailedRead): Outcome =>
  uncompared(failed.words, failed.isTooLong !== true && !isLasting(failed));

/** Failures after which the same read may succeed a minute later. */
const PASSING: ReadonlySet<FailureCode> = new Set<FailureCode>([
  ...(['budgetExhausted', 'upstreamAnswer', 'upstreamUnavailable', 'upstreamTimeout', 'busy'] as const),
  ...(['storeUnavailable', 'databaseAway', 'heldBack', 'stopping', 'brownout', 'internal'] as const),
]);

/** The outcome without a baseline. */
export function withoutV1(before: ReadAnswer): Outcome {
  if (before.answer !== 'failed') return uncompared(NO_BASELINE);
  const { words, isTooLong, isUnreadable } = before;
  if (isTooLong === true) return uncompared(words);
  if (isUnreadable === true) return uncompared(`V1 answers it, but ${words}`);
  return isPassing(before) ? uncompared(`V1 does not answer now: ${words}`, true) : uncompared(NO_BASELINE);
}

const isPassing = ({ code, status = 0 }: FailedRead): boolean =>
  (code !== undefined && PASSING.has(code)) || status === 429 || status >= 500;
