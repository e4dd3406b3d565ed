/** The parts from which the routes of legacy calls are built, and the types of a call once its method is found. */
import type { KnownCaller } from '../features/accounts/account-directory.ts';
import type { Keys } from '../features/accounts/keys.ts';
import type { Snapshot } from '../features/snapshot/snapshot.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { CallPattern, Mapping } from '../mapping/compile/model.ts';
import type { Crosswalk } from '../mapping/crosswalk/identifier.ts';
import type { LossyWrites } from '../mapping/lossy-writes.ts';
import type { RouteChoices } from '../mapping/routes/route-choice.ts';
import type { ApiVersion } from '../mapping/routes/routes.ts';
import type { Upstream } from '../upstream/model.ts';
import type { Profile } from '../upstream/profile.ts';
import type { Brownouts } from './brownout.ts';
import type { Reply, Service } from './call/call.ts';
import type { ForwardParts } from './forward/forward.ts';
import type { Notices } from './notice.ts';
import type { PassThrough } from './pass-through.ts';
import type { TranslateMethod } from './translate/translate.ts';
import type { UnknownKeyLimiter } from './unknown-key-limiter.ts';

/** Records facts about accounts while the bridge serves them. */
export interface Observer {
  /** Callers about whom nothing is left to record. */
  readonly noted: WeakSet<KnownCaller>;
  /** V1 accepted a key pair of an account that the operator has not added. */
  discovered(keys: Keys): void;
  /** V1 accepted this API key for the account. */
  accepted(caller: KnownCaller, keys: Keys): void;
}

/** The parts from which routes are built. */
export interface RouteParts extends ForwardParts {
  readonly mapping: Mapping;
  readonly crosswalk: Crosswalk;
  /** V1's values from before the move; undefined: none are kept. */
  readonly snapshot?: Snapshot | undefined;
  readonly profile: Profile;
  readonly clock: Clock;
  /** Undefined: no V2 root is configured. */
  readonly v2: Upstream | undefined;
  /** Undefined: no V1 root is configured. */
  readonly passThrough: PassThrough | undefined;
  /** Adds notices to V1's replies; undefined: no notices. */
  readonly notice?: Notices | undefined;
  /** Undefined: no brown-outs. */
  readonly brownouts?: Brownouts | undefined;
  readonly discovery: boolean;
  readonly unknownKeys: UnknownKeyLimiter;
  /** The database is new and replaced another: an account that it lists as one of V1's may have moved. */
  readonly deployment: { readonly hasVanished: boolean };
  readonly observer: Observer;
  /**
   * Rejects while nothing can be stored, or the disk has no space for the result of a write. `storedAt`: when the row
   * of the write was stored, by `performance.now`.
   */
  readonly writable: (storedAt?: number) => Promise<void>;
  /** The routes that operators have set. */
  readonly choices: RouteChoices;
  /** For writes that V2 cannot carry completely, if V3 does not serve them. */
  readonly lossyWrites: LossyWrites;
  /** The time zone of an account, for dates that V2 demands and a request does not have; undefined: UTC. */
  readonly zoneOf?: ((accountId: string) => Promise<string>) | undefined;
  /** `version`: the API version that returned the address. */
  readonly documentLink: (accountId: string, url: string, version: 'v2' | 'v3') => string;
}

/** A method of the mapping by one of its patterns, with everything known about its calls beforehand. */
export interface Entry {
  readonly pattern: CallPattern;
  /** `client.list` */
  readonly method: string;
  readonly v3: Service;
  /** Undefined: V2 does not have it. */
  readonly v2?: TranslateMethod | undefined;
  /** The mapping's version. */
  readonly endpoint: ApiVersion;
  /** See `MovedCall`. */
  readonly open: string;
  /** The services for calls with `uuidMode=transition`. */
  readonly inTransition?: () => Pick<Entry, 'v3' | 'v2'>;
}

/** The method of a call. */
export interface FoundMethod extends Omit<Entry, 'pattern'> {
  /** The values of the placeholders. */
  readonly values: readonly string[];
}

/** The account and the method of a call, as they are in this turn of the event loop. */
export interface KnownCall {
  readonly caller: KnownCaller;
  readonly found: FoundMethod;
}

/** The route is decided before the call and never changes while it is served. */
export type Send = () => Promise<Reply>;
