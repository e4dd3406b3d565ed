import type { Finding, LimitFact, Surface } from '../model.ts';

/** What remains unknown of an API, and why. */
export interface Doubt {
  readonly surface: Surface;
  readonly words: string;
}

/** The result of the probes. */
export interface Probed {
  readonly findings: readonly Finding[];
  readonly limits: readonly LimitFact[];
  /** What remains unknown, because a probe was not answered. */
  readonly doubts: readonly Doubt[];
}

/** The sum of two results. */
export const bothProbed = (one: Probed, other: Probed): Probed => ({
  findings: [...one.findings, ...other.findings],
  limits: [...one.limits, ...other.limits],
  doubts: [...one.doubts, ...other.doubts],
});

/** The result of no probe. */
export const NOTHING_PROBED: Probed = { findings: [], limits: [], doubts: [] };

/** Returns a whole number; undefined for anything else. */
export const countIn = (value: unknown): number | undefined => {
  const count = Number(value);
  return value === undefined || !Number.isSafeInteger(count) ? undefined : count;
};
