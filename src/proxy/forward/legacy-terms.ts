import { Failure } from '../../lib/failure.ts';
import type { Method } from '../../mapping/compile/model.ts';

/** A 404 may mean that another form of V3 has the method. */
export const isNotFound = (_error: unknown, status: number): boolean => status === 404;

/** V3 has refused the message, and so done nothing, because it expects its elements below another root. */
export const misses = (error: unknown, root: string): boolean =>
  error instanceof Failure &&
  error.code === 'refused' &&
  new RegExp(`element was missing - /${root}(/|$)`).test(error.text);

/** A method of V1 that V3 no longer has, or does not have for this product. */
const NOT_AVAILABLE = 'This method is not available through the connected service';

/** V3's own status, as V1 would have answered. */
export function inLegacyTerms(error: unknown, status: number, { requires }: Method): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'unknownMethod')
    return new Failure('refused', { text: NOT_AVAILABLE, source: 'v3', cause: error });
  // V1 answers 500 for a date range it cannot read, V3 400.
  if (error.code === 'refused' && status === 400 && requires.length > 0)
    return new Failure('unreadableRange', { text: error.text, source: error.source, cause: error });
  return error;
}
