import { isDeepStrictEqual } from 'node:util';
import type { CallPattern } from './model.ts';

const isRead = ({ verbs }: CallPattern): boolean => verbs.join() === 'GET';

/**
 * What is wrong with the other form of a call to V3. A path that does not exist is a 404, as a missing record is; only
 * a read may be sent again after one. After a 405 nothing was done, so a write may be sent with another verb.
 */
export function faultsOfElsewhere(v3: CallPattern, elsewhere: CallPattern): readonly string[] {
  if (isRead(v3) && isRead(elsewhere)) return [];
  const isOtherVerb =
    !isRead(v3) &&
    !isRead(elsewhere) &&
    elsewhere.verbs.length === 1 &&
    elsewhere.verbs.join() !== v3.verbs.join() &&
    isDeepStrictEqual(elsewhere.segments, v3.segments);
  return isOtherVerb ? [] : ['a read is tried on another path, a write with one other verb on the same path'];
}
