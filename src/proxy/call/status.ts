import { Failure, type FailureCode } from '../../lib/failure.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { retryAfter } from '../../upstream/transport/outcome.ts';

/** Texts for refusals that came without one. */
const bare: Readonly<Record<number, string>> = {
  400: 'The service refused the request as malformed',
  404: 'The service does not know the record or method',
  409: 'The service reports a conflict with existing data',
  422: 'The service refused the values given',
};

const NOT_PERMITTED = 'The service does not permit this call';

/** The bridge's text for a refusal of the service without one, by status. */
export const wordsFor = (status: number): string => bare[status] ?? 'The service refused the request';

/** A write whose answer is unusable has an unknown outcome. */
export function unusable(write: boolean, code: FailureCode, cause?: unknown): Failure {
  return new Failure(write ? 'outcomeUnknown' : code, { cause });
}

/** A list of which the service gives only a part, by its own count. */
export const fewerThanCounted = (): Failure =>
  new Failure('upstreamAnswer', { text: 'The service counts more records than it gives', isLasting: true });

/**
 * An answer of V3 that says OK without the element it is expected to hold. The service has confirmed a write, but
 * nothing shows what it did.
 */
export const elementMissing = (name: string, write: boolean): Failure =>
  write
    ? new Failure('outcomeUnknown', {
        text: `The service reports success, but its answer has no ${name}. Look before sending this request again`,
      })
    : new Failure('upstreamAnswer', { text: `The service's answer has no ${name}`, isLasting: true });

/** A list that does not end, or that cannot be held in memory. */
export const listTooLong = (): Failure =>
  new Failure('upstreamAnswer', { text: 'The list is too long', isLasting: true });

/** Turns any error while an answer is read into a failure to report, the caller's or the service's. */
export function readingFailed(error: unknown, write: boolean): unknown {
  return error instanceof Failure && !write ? error : unusable(write, 'upstreamAnswer', error);
}

/** A refusal by the service; `words` are undefined if it gave no reason. */
export interface Refusal {
  readonly source: 'v3' | 'v2';
  readonly words: string | undefined;
}

/**
 * What an unsuccessful status means, whichever form the service speaks; a refusal of the call itself has the service's
 * own text. 403 is "insufficient scope or organisation-level access" (V2 specification, "Errors"): it concerns this one
 * call, and proves nothing about the consent.
 */
export function statusFailure(answer: UpstreamAnswer, write: boolean, { source, words }: Refusal): Failure {
  const { status } = answer;
  if (status === 401) return new Failure('consentNeeded');
  if (status === 403)
    return new Failure('notPermitted', { source, ...(words && { text: `${NOT_PERMITTED}: ${words}` }) });
  if (status === 429) return new Failure('budgetExhausted', retryAfter(answer));
  // A 503 invites a retry, but does not prove that a write was not carried out: of 23, 11 had been.
  if (status === 503)
    return write ? new Failure('outcomeUnknown') : new Failure('upstreamUnavailable', retryAfter(answer));
  if (status === 504) return unusable(write, 'upstreamTimeout');
  if (status >= 500 || status < 400) return unusable(write, 'upstreamAnswer');
  return new Failure('refused', { source, text: words ?? wordsFor(status) });
}
