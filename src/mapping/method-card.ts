import type { RouteEvidence } from './evidence.ts';

/** What a method's row in the mapping says, for people. */
export interface MethodCard {
  readonly method: string;
  readonly summary: string;
  readonly legacy: string;
  readonly v3: string;
  /** The V2 calls, in order; empty if the mapping has none. */
  readonly v2: readonly string[];
  /** Why V2 cannot serve it. */
  readonly why: string | undefined;
  readonly grade: string | undefined;
  readonly route: string;
  /** What its calls rest on: the words for V3, and for V2 where it has steps. */
  readonly evidence: RouteEvidence;
  readonly losses: readonly string[];
  /** Calls that V3 answers although the route is V2. */
  readonly toV3: readonly string[];
}
