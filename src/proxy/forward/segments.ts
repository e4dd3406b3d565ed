import type { XmlElement } from '../../lib/xml/element.ts';
import type { Method } from '../../mapping/compile/model.ts';
import { v3Segments } from '../identifiers.ts';

/** The parts of a request that hold identifiers, in the form of V3. */
export interface Translated {
  readonly segments: readonly string[];
  /** The path in another form of V3. */
  readonly other: readonly string[] | undefined;
  readonly document: XmlElement | undefined;
}

/** The request of a method without a body and without identifiers, the same for each call; otherwise undefined. */
export function fixedPart({ v3, elsewhere, body }: Method): Translated | undefined {
  const patterns = elsewhere ? [v3, elsewhere] : [v3];
  if (body || patterns.some(({ segments }) => segments.some((segment) => 'kind' in segment)))
    return undefined;
  const [segments = [], other] = patterns.map((one) => v3Segments(one.segments, [], (_kind, text) => text));
  return { segments, other, document: undefined };
}
