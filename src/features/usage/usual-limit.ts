/**
 * The share of calls that may fail or lose something after a change, by the share that did before: twice that; above a
 * third, halfway from there to all calls, because twice a half would let every call fail.
 */
export const usualLimit = (before: number): number => Math.min(2 * before, (1 + before) / 2);
