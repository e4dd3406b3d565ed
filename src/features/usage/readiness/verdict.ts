/**
 * The short form of an account's readiness: a hundred bytes instead of the kilobyte of its reasons, because the
 * status report reads that of every account each time it is asked for.
 */
import type { ApiReadiness, ReadinessState } from './readiness.ts';

/** The verdict on one API, in short. */
export interface ApiVerdict {
  readonly state: ReadinessState;
  /** How many elements would be missed. */
  readonly missed: number;
  /** The most frequent of them. */
  readonly words: string | null;
  /** How many of the methods it uses rest on an assumption. */
  readonly assumed: number;
  /** How many of them `causeway verify` has proven; undefined if there are none. */
  readonly verified?: number;
}

/** The verdict on both, in short. */
export interface Verdict {
  readonly v3: ApiVerdict;
  readonly v2: ApiVerdict;
}

/** The short form of a verdict. */
export function verdictOf({ state, reasons, more = 0, assumed, verified = [] }: ApiReadiness): ApiVerdict {
  const missed = reasons.filter(({ isMissed }) => isMissed);
  return {
    ...{ state, missed: missed.length + more, words: missed[0]?.words ?? null, assumed: assumed.length },
    ...(verified.length > 0 && { verified: verified.length }),
  };
}
