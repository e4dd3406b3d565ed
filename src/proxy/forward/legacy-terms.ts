import { Failure } from '../../lib/failure.ts';
import type { Method } from '../../mapping/compile/model.ts';

/** Another form of V3 may have it. */
export const isNotFound = (_error: unknown, status: number): boolean => status === 404;

/** V3 has refused the message, and so done nothing, because it looks for its elements below another root. */
export const misses = (error: unknown, root: string): boolean =>
  error instanceof Failure &&
  error.code === 'refused' &&
  new RegExp(`element was missing - /${root}(/|$)`).test(error.text);

/** A method of V1 that V3 no longer has, or does not have for this product. */
const NOT_AVAILABLE = 'This method is not available through the connected service';

/** What V3 says by a status of its own, as V1 would have said it. */
export function inLegacyTerms(error: unknown, status: number, { requires }: Method): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'unknownMethod')
    return new Failure('refused', { text: NOT_AVAILABLE, source: 'v3', cause: error });
  // V1 answers 500 for a range of days it cannot read, V3 400.
  if (error.code === 'refused' && status === 400 && requires.length > 0)
    return new Failure('missingRange', { text: error.text, source: error.source, cause: error });
  return error;
}
