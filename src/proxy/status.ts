import { Failure, type FailureCode } from '../lib/failure.ts';
import type { UpstreamAnswer } from '../upstream/model.ts';

/** The words for a refusal that came without any. */
const bare: Readonly<Record<number, string>> = {
  400: 'The service refused the request as malformed',
  404: 'The service does not know the record or method',
  409: 'The service reports a conflict with existing data',
  422: 'The service refused the values given',
};

/** The bridge's words for a status of the service that came without any. */
export const wordsFor = (status: number): string => bare[status] ?? 'The service refused the request';

/** A write whose answer is unusable has an unknown outcome. */
export function unusable(write: boolean, code: FailureCode, cause?: unknown): Failure {
  return new Failure(write ? 'outcomeUnknown' : code, { cause });
}

/** Anything that goes wrong while an answer is read: the caller's failure, or the service's. */
export function readingFailed(error: unknown, write: boolean): unknown {
  return error instanceof Failure && !write ? error : unusable(write, 'upstreamAnswer', error);
}

/**
 * What a status that is no success means whichever form the service speaks; undefined for a refusal of the call
 * itself, which has the service's own words.
 */
export function statusFailure(answer: UpstreamAnswer, write: boolean): Failure | undefined {
  const { status } = answer;
  if (status === 401 || status === 403) return new Failure('consentNeeded');
  if (status === 429) return new Failure('budgetExhausted', retryAfter(answer));
  // That it is worth trying again does not say that a write was not carried out: of 23, 11 had been.
  if (status === 503)
    return write ? new Failure('outcomeUnknown') : new Failure('upstreamUnavailable', retryAfter(answer));
  if (status === 504) return unusable(write, 'upstreamTimeout');
  return status >= 500 || status < 400 ? unusable(write, 'upstreamAnswer') : undefined;
}

/** Seconds the service asked to wait, where it said so in seconds. */
export function retryAfter(answer: UpstreamAnswer): { readonly retryAfter?: number } {
  const seconds = Number(answer.headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfter: Math.ceil(seconds) } : {};
}
