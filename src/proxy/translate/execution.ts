/** What methods on V2 need, and the state of one call. */
import type { Clock } from '../../lib/time/clock.ts';
import type { Snapshot } from '../../features/snapshot/snapshot.ts';
import type { Upstream } from '../../upstream/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { KindTable } from '../../mapping/compile/model.ts';
import type { LossyWrites } from '../../mapping/lossy-writes.ts';
import type { BodyReader } from '../call/body-reader.ts';
import type { SlashedNumbers } from '../call/slashes.ts';
import type { LookupCache } from './lookups/lookup-cache.ts';
import type { MovedCall } from '../call/call.ts';
import type { Context } from './context.ts';
import type { KeptRecords } from './kept/kept-records.ts';
import type { Steps } from './steps/steps.ts';

/** What methods on V2 need. */
export interface TranslateParts {
  readonly endpoint: Upstream;
  readonly profile: Profile;
  readonly body: BodyReader;
  readonly lookupCache: LookupCache;
  readonly kinds: ReadonlyMap<string, KindTable>;
  readonly clock: Clock;
  readonly numbers: SlashedNumbers;
  /** The time zone of an account, for dates that a request leaves to the bridge; undefined: UTC, or there are none. */
  readonly zoneOf?: ((accountId: string) => Promise<string>) | undefined;
  /** V1's values from before the move; undefined: none are kept. */
  readonly snapshot?: Snapshot | undefined;
  /** V3 serves calls that V2 cannot serve completely. */
  readonly standIn: boolean;
  /** Applies if V3 does not. */
  readonly lossyWrites: LossyWrites;
}

/** One call on its way through the steps. */
export interface Execution {
  readonly moved: MovedCall;
  readonly context: Context & { readonly answers: Map<string, unknown> };
  readonly steps: Steps;
  /** Undefined: nothing is kept from V1. */
  readonly told: KeptRecords | undefined;
  /** Elements of the request that V2 has no place for and the operator has not allowed to be dropped. */
  readonly losing: readonly string[];
}

/** The key for the answer from which the reply is made; no step can have this name. */
export const REPLY = '';
