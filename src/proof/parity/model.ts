import type { DifferenceGroup } from '../comparison/groups.ts';

/** `required`: no move without proof; `report`: differences make an automatic move wait; `off`: nothing is compared. */
export const parityModes = ['required', 'report', 'off'] as const;
export type ParityMode = (typeof parityModes)[number];

/** Reads of one method that were not compared, and why. */
export interface Uncompared {
  readonly method: string;
  readonly reads: number;
  readonly why: string;
}

/** The outcome of comparing an account. */
export interface Comparison {
  readonly at: number;
  /** Reads that the account's programs make, and that were compared or could not be. */
  readonly reads: number;
  readonly alike: number;
  readonly different: number;
  readonly undecided: number;
  /** Compared with V1 itself, and with the baseline. */
  readonly live: number;
  readonly baseline: number;
  /** Values that changed between two answers, and that change by themselves. */
  readonly changed: number;
  readonly noise: number;
  readonly uncompared: readonly Uncompared[];
  /** A temporary fault kept some reads from being compared. */
  readonly isUnfinished: boolean;
  readonly groups: readonly DifferenceGroup[];
}

/** Who accepted a difference, and why. */
export interface Acceptance {
  /** Undefined: for all accounts. */
  readonly accountId: string | undefined;
  readonly difference: string;
  readonly signature: string;
  readonly name: string;
  readonly reason: string;
  readonly at: number;
}

/** A group of differences with who accepted it; undefined: nobody has, or it has changed since. */
export interface JudgedGroup extends DifferenceGroup {
  readonly accepted: Acceptance | undefined;
  /** It was accepted as it was before. */
  readonly isVoid: boolean;
}

/** What a comparison means for the move. */
export const parityVerdicts = [
  'alike',
  'accepted',
  'different',
  'undecided',
  'not-provable',
  'unfinished',
  'running',
  'none',
] as const;
export type ParityVerdict = (typeof parityVerdicts)[number];

/** The state of the proof of one account. */
export interface ParityReport {
  readonly account: { readonly id: string; readonly name: string };
  readonly mode: ParityMode;
  readonly verdict: ParityVerdict;
  /** `412 of 412 reads alike; 2 named differences accepted by …` */
  readonly words: string;
  /** Undefined: nothing was compared yet. */
  readonly comparison: Comparison | undefined;
  readonly groups: readonly JudgedGroup[];
  /** Earlier comparisons, oldest first. */
  readonly trend: readonly { readonly at: number; readonly reads: number; readonly alike: number }[];
}
