/**
 * The proof before the move as other features see it: the findings of a comparison, the acceptances, and what both
 * mean for the move. `proof/` makes it.
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
  /** It will be tried again. Absent in comparisons of earlier releases. */
  readonly isTemporary?: boolean;
  /** For a method without a sample: how programs of the account use it. */
  readonly used?: UsedRead | undefined;
}

/** How often the programs of an account were answered a read, and when last. */
export interface UsedRead {
  readonly calls: number;
  readonly last: number;
}

/**
 * Differences with one cause in one place of one method, which a person judges together. Reads of one method that
 * were not compared also form a group, without an API and a path.
 */
export interface DifferenceGroup {
  /** `v3 client.get Response/Client/Name value` */
  readonly key: string;
  readonly api: string;
  readonly method: string;
  readonly path: string;
  readonly cause: Cause;
  /** Whether the data may merely have changed since the baseline. */
  readonly isUndecided: boolean;
  readonly count: number;
  /**
   * Keyed hashes of the reads with the difference that were not compared again since. Absent where nothing was
   * compared.
   */
  readonly reads?: readonly string[];
  /** The last comparison that found it, if those reads could not be compared again since. */
  readonly lastSeen?: number;
  /** With letters and digits masked; for reads that were not compared, the reason. */
  readonly example: string;
  /** A keyed hash of what differs, with the number of records (`signature.ts`). */
  readonly signature: string;
}

/** The values of one difference, from a record of the customer. Stored sealed, and for a limited time. */
export interface DifferenceExample {
  /** `DifferenceGroup.key` */
  readonly key: string;
  /** The records around it, by their identifiers; empty if it is in none. */
  readonly record: string;
  readonly before: string;
  readonly after: string;
}

/** The connection that V3 was asked through. */
export interface ComparedBinding {
  readonly grantId: string;
  readonly organisationId: string;
}

/** The reads that were alike, by what they were compared with: each by the beginning of its keyed hash. */
export interface AlikeReads {
  readonly live: readonly string[];
  readonly baseline: readonly string[];
  /** Values in them that changed meanwhile, and that change by themselves. */
  readonly changed: number;
  readonly noise: number;
}

/**
 * `waiting`: the account will not move now. `moving`: it moves if the comparison passes. `forced`: an operator moves
 * it despite the comparison, unless that is required.
 */
export type ParityMoment = 'waiting' | 'moving' | 'forced';

/** The outcome of comparing an account. */
export interface Comparison {
  readonly at: number;
  /** Absent in comparisons of earlier releases. */
  readonly binding?: ComparedBinding | undefined;
  /** Since when each of its reads was compared, if it took over some from earlier comparisons. */
  readonly wholeAt?: number | undefined;
  /** Need not be compared again while the account waits. Absent in comparisons of earlier releases. */
  readonly alikeReads?: AlikeReads | undefined;
  /** Reads by the account's programs, whether they were compared or could not be. */
  readonly reads: number;
  readonly alike: number;
  readonly different: number;
  readonly undecided: number;
  /** Reads compared with V1 itself, and with the baseline. */
  readonly live: number;
  readonly baseline: number;
  /** Values that changed between two answers, and values that change by themselves. */
  readonly changed: number;
  readonly noise: number;
  readonly uncompared: readonly Uncompared[];
  /** A temporary fault kept some reads from being compared. */
  readonly isUnfinished: boolean;
  readonly groups: readonly DifferenceGroup[];
}

/** An accepted difference, with its author and reason. */
export interface Acceptance {
  /** Undefined: for all accounts. */
  readonly accountId: string | undefined;
  readonly difference: string;
  readonly signature: string;
  readonly name: string;
  readonly reason: string;
  readonly at: number;
}

/** The parts of a group that decide whether it is accepted. */
export type GroupMark = Pick<DifferenceGroup, 'key' | 'signature' | 'cause' | 'count' | 'isUndecided'>;

/** A comparison in short: some hundred bytes, because the status report reads that of every account. */
export interface ComparisonSummary {
  readonly at: number;
  /** Absent for comparisons of earlier releases. */
  readonly organisationId?: string | undefined;
  readonly reads: number;
  readonly compared: number;
  readonly alike: number;
  readonly isUnfinished: boolean;
  readonly uncompared: { readonly reads: number; readonly why: string };
  /** Its groups to judge, including reads that were not compared. */
  readonly groups: readonly GroupMark[];
}

/** How many reads were alike at some time. */
export interface ParityScore {
  readonly at: number;
  readonly reads: number;
  readonly compared: number;
  readonly alike: number;
}

/** The acceptance of a group; undefined: it was not accepted, or has changed since. */
export interface Judgement {
  readonly accepted: Acceptance | undefined;
  /** The acceptance was for an earlier form. */
  readonly isVoid: boolean;
}

/** A group of differences with its acceptance. */
export type JudgedGroup = DifferenceGroup & Judgement;
/** A group in short with its acceptance. */
export type JudgedMark = GroupMark & Judgement;

/** The newest comparison of an account with its acceptances, for the status report. */
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
  /** Undefined if nothing was compared yet. */
  readonly comparison: Comparison | undefined;
  readonly groups: readonly JudgedGroup[];
  /** Earlier comparisons, oldest first. */
  readonly trend: readonly ParityScore[];
}

/** An acceptance to store. */
export interface GivenAcceptance {
  /** `DifferenceGroup.key`; undefined: all open ones, except reads that are tried again. */
  readonly keys: readonly string[] | undefined;
  /** `markOf` the differences that the person has seen, so that none that changed since is accepted. Undefined: any. */
  readonly seen?: readonly string[] | undefined;
  readonly forAll: boolean;
  readonly name: string;
  readonly reason: string;
}

/** An acceptance cannot be stored. */
export class AcceptanceRefused extends Error {}

/** The proof of single accounts; `proof/` makes it. */
export interface ParityProof {
  /** The stored state. */
  report(account: Account): Promise<ParityReport>;
  /** Compares now and waits for the result. */
  compare(account: Account): Promise<ParityReport>;
  /** Starts a comparison, unless one is already running. */
  start(account: Account): Promise<ParityReport>;
  /** Accepts differences in their present form; returns how many. Throws `AcceptanceRefused`. */
  accept(account: Account, given: GivenAcceptance): Promise<number>;
  /** Values of the differences of the last comparison, as long as they are kept. */
  examples(account: Account): Promise<readonly DifferenceExample[]>;
}
