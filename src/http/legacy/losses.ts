import type { Trace } from '../../proxy/call/call.ts';

/** In characters: callers may invent names of elements. */
const LONGEST = 500;

/**
 * What the caller did not send or get as it was meant, for whoever asks about the call later: names of elements,
 * never their values.
 */
export const lossesOf = ({
  dropped,
  rounded,
  replaced,
}: Pick<Readonly<Trace>, 'dropped' | 'rounded' | 'replaced'>): string =>
  [...dropped, ...rounded, ...(replaced > 0 ? ['characters'] : [])].join(' ').slice(0, LONGEST);
