import type { CallRecord } from '../../features/usage/call-log.ts';
import type { Failure } from '../../lib/failure.ts';
import type { Trace } from '../../proxy/call/call.ts';

/** In characters: callers may invent names of elements. */
const LONGEST = 500;

/**
 * What the caller did not send or get as it was meant, for whoever asks about the call later: names of elements,
 * never their values.
 */
const lossesOf = ({
  dropped,
  rounded,
  replaced,
}: Pick<Readonly<Trace>, 'dropped' | 'rounded' | 'replaced'>): string =>
  [...dropped, ...rounded, ...(replaced > 0 ? ['characters'] : [])].join(' ').slice(0, LONGEST);

/** What else whoever asks about the call later is told. */
export const toldLater = (
  lossy: Parameters<typeof lossesOf>[0] | undefined,
  failure: Failure | undefined,
): Pick<CallRecord, 'losses' | 'failure'> => ({
  ...(lossy && { losses: lossesOf(lossy) }),
  ...(failure && { failure: failure.code }),
});
