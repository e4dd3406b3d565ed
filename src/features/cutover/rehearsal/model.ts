/**
 * What a rehearsal says: the whole move of an account, played on a sandbox that has its numbers. Nothing of it names a
 * customer's person: examples of differences are masked.
 */
import type { Check } from '../checks.ts';
import type { DifferenceGroup } from '../parity/model.ts';

/** A step of the move, with what came of it. */
export interface RehearsedStep {
  readonly step: string;
  readonly outcome: 'done' | 'failed';
  readonly words: string;
}

/** The calls of one method on one way. */
export interface RehearsedMethod {
  /** `client.get` */
  readonly method: string;
  readonly calls: number;
  /** As V1 answers, but for what the mapping declares. */
  readonly alike: number;
  /** Requests to the service that these calls took. */
  readonly requests: number;
}

/** The move, and the calls after it, by V3 or by V2. */
export interface RehearsedWay {
  readonly way: 'v3' | 'v2';
  readonly steps: readonly RehearsedStep[];
  /** As they are made before a real cut-over. */
  readonly checks: readonly Check[];
  readonly methods: readonly RehearsedMethod[];
  /** The most frequent first. */
  readonly differences: readonly DifferenceGroup[];
}

export const rehearsalVerdicts = ['ready', 'overridden', 'different', 'stuck', 'nothing'] as const;
/**
 * `ready`: it moved, and every call was answered as before. `overridden`: the same, although a check had failed that an
 * operator can override. `different`: it moved, and some calls were answered otherwise. `stuck`: it did not move.
 * `nothing`: no call of it is known.
 */
export type RehearsalVerdict = (typeof rehearsalVerdicts)[number];

/** Why calls of a method were not played, or not as they were. */
export interface Unplayed {
  readonly method: string;
  readonly calls: number;
  readonly why: string;
}

/** Everything a rehearsal found. Times in milliseconds since the epoch. */
export interface Rehearsal {
  readonly at: number;
  /** How long it took. */
  readonly millis: number;
  readonly verdict: RehearsalVerdict;
  /** The verdict in one line, for people. */
  readonly words: string;
  /** Names and texts were replaced before they left the process that read them. */
  readonly isMasked: boolean;
  /** Records the sandbox was seeded with, by list of its seed. */
  readonly records: Readonly<Record<string, number>>;
  /** Reads of V1 that it took. */
  readonly reads: number;
  /** What could not be read, or not be seeded. */
  readonly missing: readonly string[];
  /** Calls of its programs that were played on each way. */
  readonly calls: number;
  /** Calls that the sandbox, before the move, answers just as V1 does. */
  readonly faithful: number;
  readonly unplayed: readonly Unplayed[];
  readonly ways: readonly RehearsedWay[];
}
