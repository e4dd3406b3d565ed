import type { Trace } from '../../proxy/call/call.ts';

/** In characters: callers may invent names of elements. */
const LONGEST = 500;

/**
 * The elements in which request or reply were changed on the way, for questions about the call later: their names,
 * never their values.
 */
export const lossesOf = ({
  dropped,
  rounded,
  replaced,
}: Pick<Readonly<Trace>, 'dropped' | 'rounded' | 'replaced'>): string =>
  [...dropped, ...rounded, ...(replaced > 0 ? ['characters'] : [])].join(' ').slice(0, LONGEST);
