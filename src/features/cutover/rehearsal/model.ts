/**
 * The result of a rehearsal: the whole move of an account, played on a sandbox that has its numbers. Nothing in it
 * names a person at the customer: examples of differences are masked.
 */
import type { Check } from '../checks.ts';
import type { DifferenceGroup } from '../parity/model.ts';

/** A step of the move, with its result. */
export interface RehearsedStep {
  readonly step: string;
  readonly outcome: 'done' | 'failed';
  readonly words: string;
}

/** The calls of one method by one route. */
export interface RehearsedMethod {
  /** `client.get` */
  readonly method: string;
  readonly calls: number;
  /** Calls answered as V1 answers them, except for the differences that the mapping declares. */
  readonly alike: number;
  /** Requests to the service that these calls took. */
  readonly requests: number;
  /** Calls that reached the way's API. Absent in reports of earlier releases. */
  readonly served?: number | undefined;
}

/** The move, and the calls after it, by V3 or by V2. */
export interface RehearsedWay {
  readonly way: 'v3' | 'v2';
  readonly steps: readonly RehearsedStep[];
  /** The checks that precede a real cut-over. */
  readonly checks: readonly Check[];
  readonly methods: readonly RehearsedMethod[];
  /** The most frequent first. */
  readonly differences: readonly DifferenceGroup[];
}

export const rehearsalVerdicts = ['ready', 'overridden', 'unsure', 'different', 'stuck', 'nothing'] as const;
/**
 * `ready`: it moved, and every call was answered as before. `overridden`: the same, although a check had failed that
 * an operator can override. `unsure`: the same, but before the move less than half of its calls were answered as by V1,
 * apart from single elements, so this says little about the account. `different`: it moved, and some calls were answered differently. `stuck`: it did not
 * move. `nothing`: none of its calls is known.
 */
export type RehearsalVerdict = (typeof rehearsalVerdicts)[number];

/** Why calls of a method were not played, or not in their original form. */
export interface Unplayed {
  readonly method: string;
  readonly calls: number;
  readonly why: string;
}

/** All findings of a rehearsal. Times in milliseconds since the epoch. */
export interface Rehearsal {
  readonly at: number;
  /** Its duration. */
  readonly millis: number;
  readonly verdict: RehearsalVerdict;
  /** The verdict in one line, for people. */
  readonly words: string;
  /** Names and texts were replaced before they left the process that read them. */
  readonly isMasked: boolean;
  /** Records the sandbox was seeded with, by list of its seed. */
  readonly records: Readonly<Record<string, number>>;
  /** How many reads of V1 it took. */
  readonly reads: number;
  /** Data that could not be read, or not be seeded. */
  readonly missing: readonly string[];
  /** Calls of its programs that were played by each route. */
  readonly calls: number;
  /** Calls that the sandbox, before the move, answers just as V1 does. */
  readonly faithful: number;
  readonly unplayed: readonly Unplayed[];
  readonly ways: readonly RehearsedWay[];
}
