import type { Finding, LimitFact } from '../model.ts';

/** What the probes found. */
export interface Probed {
  readonly findings: readonly Finding[];
  readonly limits: readonly LimitFact[];
}

/** A whole number; undefined: it is none. */
export const countIn = (value: unknown): number | undefined => {
  const count = Number(value);
  return value === undefined || !Number.isSafeInteger(count) ? undefined : count;
};
