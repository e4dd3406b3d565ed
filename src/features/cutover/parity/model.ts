/**
 * The proof before the switch as everybody sees it: what a comparison found, who accepted what, and what both mean for the
 * move. How it is made is `proof/`'s business.
 */
import type { Account } from '../../accounts/account.ts';
import type { Cause } from './difference.ts';

/** `required`: no move without proof; `report`: differences make an automatic move wait; `off`: nothing is compared. */
export const parityModes = ['required', 'report', 'off'] as const;
export type ParityMode = (typeof parityModes)[number];

/** Reads of one method that were not compared, and why. */
export interface Uncompared {
  readonly method: string;
  readonly reads: number;
  readonly why: string;
  /** It is tried again. Absent in comparisons of earlier releases. */
  readonly isTemporary?: boolean;
  /** Of a method of which there is no sample: that programs of the account call it. */
  readonly used?: UsedRead | undefined;
}

/** How often the programs of an account were answered a read, and when last. */
export interface UsedRead {
  readonly calls: number;
  readonly last: number;
}

/**
 * Differences with one cause at one place of one method: what a person judges at once. Reads of one method that were not
 * compared are such a group, too, without an API and a path.
 */
export interface DifferenceGroup {
  /** `v3 client.get Response/Client/Name value` */
  readonly key: string;
  readonly api: string;
  readonly method: string;
  readonly path: string;
  readonly cause: Cause;
  /** Nobody can tell whether the data has only changed since the baseline. */
  readonly isUndecided: boolean;
  readonly count: number;
  /** Keys of the samples it was found with, some of them where they are many. Absent where nothing was compared. */
  readonly reads?: readonly string[];
  /** The comparison that found it, where those reads could not be compared again since. */
  readonly lastSeen?: number;
  /** Letters and digits masked; of what was not compared, why. */
  readonly example: string;
  /** A keyed hash of everything that is different. */
  readonly signature: string;
}

/** The values of one difference, of a record of the customer. Stored sealed, and only for a while. */
export interface DifferenceExample {
  /** `DifferenceGroup.key` */
  readonly key: string;
  /** The records it is in, by their identifiers; empty: in none. */
  readonly record: string;
  readonly before: string;
  readonly after: string;
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

/** What of a group decides whether it is accepted. */
export type GroupMark = Pick<DifferenceGroup, 'key' | 'signature' | 'cause' | 'count' | 'isUndecided'>;

/** A comparison in short: some hundred bytes, because the status report reads the one of every account. */
export interface ComparisonSummary {
  readonly at: number;
  readonly reads: number;
  readonly compared: number;
  readonly alike: number;
  readonly isUnfinished: boolean;
  readonly uncompared: { readonly reads: number; readonly why: string };
  /** What of it has to be judged, reads that were not compared included. */
  readonly groups: readonly GroupMark[];
}

/** How many reads were alike at one time. */
export interface ParityScore {
  readonly at: number;
  readonly reads: number;
  readonly compared: number;
  readonly alike: number;
}

/** Who accepted a group; undefined: nobody has, or it has changed since. */
export interface Judgement {
  readonly accepted: Acceptance | undefined;
  /** It was accepted as it was before. */
  readonly isVoid: boolean;
}

/** A group of differences with who accepted it. */
export type JudgedGroup = DifferenceGroup & Judgement;
/** A group in short with who accepted it. */
export type JudgedMark = GroupMark & Judgement;

/** The newest comparison of an account with what was accepted, for the status report. */
export interface KnownParity {
  readonly summary: ComparisonSummary;
  readonly acceptances: readonly Acceptance[];
  /** The last comparisons, oldest first. */
  readonly trend: readonly ParityScore[];
}
/** What a comparison means for the move. */
export const parityVerdicts = [
  'alike',
  'accepted',
  'different',
  'incomplete',
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
  readonly trend: readonly ParityScore[];
}

/** What is accepted, by whom, and why. */
export interface GivenAcceptance {
  /** `DifferenceGroup.key`; undefined: all that are open, without reads that are tried again. */
  readonly keys: readonly string[] | undefined;
  readonly forAll: boolean;
  readonly name: string;
  readonly reason: string;
}

/** An acceptance cannot be stored. */
export class AcceptanceRefused extends Error {}

/** The proof of single accounts; `proof/` makes it. */
export interface ParityProof {
  /** What is known. */
  report(account: Account): Promise<ParityReport>;
  /** Compares now, and waits for it. */
  compare(account: Account): Promise<ParityReport>;
  /** Starts a comparison, unless one is under way. */
  start(account: Account): Promise<ParityReport>;
  /** Accepts differences as they are now; returns how many. Throws `AcceptanceRefused`. */
  accept(account: Account, given: GivenAcceptance): Promise<number>;
  /** Values of the differences of the last comparison, as long as they are kept. */
  examples(account: Account): Promise<readonly DifferenceExample[]>;
}
