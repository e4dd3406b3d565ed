import type { RouteEvidence } from './evidence.ts';

/** The row of a method in the mapping, for people to read. */
export interface MethodCard {
  readonly method: string;
  readonly summary: string;
  readonly legacy: string;
  readonly v3: string;
  /** The V2 calls, in order; empty if the mapping has none. */
  readonly v2: readonly string[];
  /** Why V2 cannot serve the method. */
  readonly why: string | undefined;
  readonly grade: string | undefined;
  readonly route: string;
  /** The evidence for its calls: in words for V3, and for V2 where it has steps. */
  readonly evidence: RouteEvidence;
  readonly losses: readonly string[];
  /** Calls that V3 answers although the route is V2. */
  readonly toV3: readonly string[];
}
