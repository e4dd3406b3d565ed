import { Failure } from '../../lib/failure.ts';
import type { Method } from '../../mapping/compile/model.ts';

/** A 404 may mean that only another form of V3 has the method. */
export const isNotFound = (_error: unknown, status: number): boolean => status === 404;

/** With a 405 nothing was done: another form of V3 has the method under another verb. */
export const isWrongVerb = (_error: unknown, status: number): boolean => status === 405;

/** V3 has refused the message, and so done nothing, because it expects another root element. */
export const misses = (error: unknown, root: string): boolean =>
  error instanceof Failure &&
  error.code === 'refused' &&
  new RegExp(`element was missing - /${root}(/|$)`).test(error.text);

/** The refusal of a V1 method that V3 no longer has, or does not have for this product. */
const NOT_AVAILABLE = 'This method is not available through the connected service';

/** Whether a refusal names one of the parameters (`to` is also a word of its own), or dates at all. */
const isAbout = (text: string, parameters: readonly string[]): boolean =>
  parameters.length > 0 &&
  (/\bdate(?:s|time)?\b/i.test(text) ||
    new RegExp(`(?:\\b(?:for|parameter) ['"]?|['"])(?:${parameters.join('|')})\\b`, 'i').test(text));

/** V3's refusal as V1 would have answered. */
export function inLegacyTerms(error: unknown, status: number, { requires }: Method): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'unknownMethod')
    return new Failure('refused', { text: NOT_AVAILABLE, source: 'v3', cause: error });
  // The bridge has accepted the verb, so V3 lacks a call that the mapping has.
  if (error.code === 'wrongVerb') return new Failure('wrongVerb', { allow: error.allow, isOfCall: false });
  // V1 answers 500 for a date range it cannot read, V3 400.
  if (error.code === 'refused' && status === 400 && isAbout(error.text, requires))
    return new Failure('unreadableRange', { text: error.text, source: error.source, cause: error });
  return error;
}
