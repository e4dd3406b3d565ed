/**
 * How several instances share the service's rate limit. A key has as many permits as its limit; one instance
 * at a time holds a permit, from before a request leaves until a minute after its answer came, or could still
 * have come. So there are never more permits in use than the limit, whichever clock is wrong and whichever
 * instance is cut off.
 */
export interface PermitClaim {
  readonly key: string;
  /** Number of permits of this key. */
  readonly limit: number;
  /** Permits that may be in use before requests are let through one at a time. */
  readonly burst: number;
  /** Permits this instance keeps; any others it had are returned. */
  readonly held: number;
  /** Those of them that no request has taken yet. */
  readonly unused: number;
  /** Milliseconds until each permit without a request in progress is free, soonest first. */
  readonly busyFor: readonly number[];
  /** How long each request has waited, in milliseconds, less the handicap of its kind, in queue order. */
  readonly waiting: readonly number[];
  /** Requests follow each other so closely that some permits are worth taking ahead, also if none waits. */
  readonly isBusy: boolean;
}

export interface PermitGrant {
  /** More than were asked for: taken ahead. */
  readonly granted: number;
  /** Remaining milliseconds of a pause that the service asked for. */
  readonly blockedFor: number;
  /** Permits nobody holds. */
  readonly idle: number;
  /** Milliseconds until the next one can be granted at the earliest, to any instance. */
  readonly next: number;
  /** Milliseconds since the last one was granted. */
  readonly ago: number;
  /** For each permit of another instance, milliseconds until it can be free at the earliest. */
  readonly foreign: readonly number[];
}

/**
 * `shared`: permits are requested and returned. `frozen`: about to share; held permits may be used again,
 * none are added. `alone`: without the shared store; each instance has an equal share. `closed`: this
 * instance has been unable to show that it is alive for too long; others may count it out, so it sends
 * nothing.
 */
export type Membership =
  | { readonly state: 'shared' }
  | { readonly state: 'frozen' }
  | { readonly state: 'alone'; readonly instances: number }
  | { readonly state: 'closed' };

/** What one instance knows about its own permits. */
export interface PermitHolder {
  /** Returns every permit that is not in use, and reports the others. */
  freeze(): readonly PermitClaim[];
  /** Keys of which more than an equal share is held. */
  over(instances: number): readonly string[];
  /** How long something that was sent may still count at the service, in milliseconds. */
  countsFor(): number;
  /** The service has asked another process for a pause, in milliseconds. */
  pause(key: string, millis: number): void;
  changed(): void;
}

/** The service wants a pause of so many milliseconds for a key. */
export interface PermitPause {
  readonly key: string;
  readonly millis: number;
}

/** Shares the permits of each key among the instances; a permit is the right to send one request. */
export interface PermitPool {
  readonly membership: Membership;
  /** Milliseconds by a clock that is never set. */
  monotonic(): number;
  /** When unused permits were last lost, by that clock. */
  readonly forfeitedAt: number;
  /** Alone: all others are down to an equal share of this key, so a full share may be taken. */
  isOpen(key: string): boolean;
  /** Undefined if the shared store could not be asked; `membership` then says what applies. Never rejects. */
  exchange(claim: PermitClaim): Promise<PermitGrant | undefined>;
  /** How long unused permits of a key may be kept for its next request, in milliseconds. */
  keepsFor(key: string): number;
  /** Nobody sends for this key for this many milliseconds. */
  block(key: string, millis: number): void;
  /** Something is about to be sent: from now on this instance is one of those that share. */
  begin(): void;
  /** Sets the holder of the permits. Called once. */
  serves(holder: PermitHolder): void;
}

/** The sum of all shares never exceeds the limit. */
export const shareOf = (limit: number, instances: number): number => Math.floor(limit / instances);

/** What an instance reports about itself where all can read it, whatever happens to the shared store. */
export interface Presence {
  readonly state: 'alone' | 'frozen' | 'shared' | 'left';
  /** Whether it reaches the shared store. */
  readonly reaches: boolean;
  /** The epoch of the shared store that has its permits. */
  readonly epoch: string;
  /** The number by which it divides while alone. */
  readonly instances: number;
  /** Keys of which it holds more than its share; `*`: too many to list. */
  readonly over: readonly string[];
  /** How long after it left a request may still count at the service, in milliseconds. */
  readonly counts: number;
}

export interface Present extends Presence {
  readonly id: string;
  /** When it reported this, by one clock for all, which may be set. */
  readonly at: number;
  /** Milliseconds since then. */
  readonly age: number;
}

/** The register of living instances. Its failures are `StoreFault`s. */
export interface InstanceRegister {
  /** Writes first and then reads: of two instances that do so at once, at least one sees the other. */
  report(id: string, presence: Presence): Promise<readonly Present[]>;
  remove(ids: readonly string[]): Promise<void>;
}

export const TOO_MANY = '*';
