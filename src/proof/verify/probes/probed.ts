import type { Finding, LimitFact } from '../model.ts';

/** The result of the probes. */
export interface Probed {
  readonly findings: readonly Finding[];
  readonly limits: readonly LimitFact[];
}

/** Returns a whole number; undefined for anything else. */
export const countIn = (value: unknown): number | undefined => {
  const count = Number(value);
  return value === undefined || !Number.isSafeInteger(count) ? undefined : count;
};
