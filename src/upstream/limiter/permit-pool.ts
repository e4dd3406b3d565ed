/**
 * How several instances share the service's limit of requests. A key has as many permits as its limit; one instance at a
 * time holds a permit, from before a request leaves until a minute after its answer came or could still have come. So the
 * permits in use are never more than the limit, whichever clock is wrong and whoever is cut off.
 */
export interface PermitClaim {
  readonly key: string;
  /** Permits there are of this key. */
  readonly limit: number;
  /** So many may be in use before requests are let through one by one. */
  readonly burst: number;
  /** What this instance keeps; whatever it had beyond that is given back. */
  readonly held: number;
  /** In how many milliseconds each permit is free whose request is not out any more, soonest first. */
  readonly busyFor: readonly number[];
  /** For how long each request has waited, in milliseconds, less what its kind stands behind; the first in the queue first. */
  readonly waiting: readonly number[];
}

export interface PermitGrant {
  readonly granted: number;
  /** The service asked for a pause that has so many milliseconds to go. */
  readonly blockedFor: number;
  /** Permits nobody holds. */
  readonly idle: number;
  /** In how many milliseconds the next one is given at the earliest, to whomever. */
  readonly next: number;
  /** How many milliseconds ago the last one was. */
  readonly ago: number;
  /** For each permit of another instance, in how many milliseconds it can be free at the earliest. */
  readonly foreign: readonly number[];
}

/**
 * `shared`: permits are asked for and given back. `frozen`: about to share; what is held may be used again, nothing is
 * added. `alone`: without the shared store; each of so many instances has its share. `closed`: this instance has not been
 * able to say for too long that it lives; others may count it out, so it sends nothing.
 */
export type Membership =
  | { readonly state: 'shared' }
  | { readonly state: 'frozen' }
  | { readonly state: 'alone'; readonly instances: number }
  | { readonly state: 'closed' };

/** What one instance knows of its own permits. */
export interface PermitHolder {
  /** Gives up every permit that is not in use, and tells the rest. */
  freeze(): readonly PermitClaim[];
  /** Keys of which more than an equal share is held. */
  over(instances: number): readonly string[];
  /** For how long something that was sent may still count at the service, in milliseconds. */
  countsFor(): number;
  changed(): void;
}

/** Shares the permits of each key among the instances; a permit is the right to send one request. */
export interface PermitPool {
  readonly membership: Membership;
  /** Milliseconds by a clock that is never set. */
  monotonic(): number;
  /** When the permits that were not in use were lost for the last time, by that clock. */
  readonly forfeitedAt: number;
  /** Alone: everybody else has come down to an equal share of this key, so it may be taken. */
  isOpen(key: string): boolean;
  /** Undefined where the shared store could not be asked; `membership` tells what holds now. Never rejects. */
  exchange(claim: PermitClaim): Promise<PermitGrant | undefined>;
  /** Nobody sends for this key for so many milliseconds. */
  block(key: string, millis: number): void;
  /** Something is about to be sent: from now on this instance is one of those who share. */
  begin(): void;
  /** Whose permits these are. Called once. */
  serves(holder: PermitHolder): void;
}

/** Never more in sum than the limit. */
export const shareOf = (limit: number, instances: number): number => Math.floor(limit / instances);

/** What an instance says of itself where all can read it, whatever becomes of the shared store. */
export interface Presence {
  readonly state: 'alone' | 'frozen' | 'shared' | 'left';
  /** Whether it reaches the shared store. */
  readonly reaches: boolean;
  /** Which epoch of the shared store its permits stand in. */
  readonly epoch: string;
  /** By how many it divides where it is alone. */
  readonly instances: number;
  /** Keys of which it holds more than its share; `*`: too many to tell. */
  readonly over: readonly string[];
  /** For so many milliseconds after it left what it sent may still count at the service. */
  readonly counts: number;
}

export interface Present extends Presence {
  readonly id: string;
  /** Milliseconds since it said so, by one clock for all. */
  readonly age: number;
}

/** The register of living instances. Its failures are `StoreFault`s. */
export interface InstanceRegister {
  /** Writes first and reads then: of two that do so at once, one at least sees the other. */
  report(id: string, presence: Presence): Promise<readonly Present[]>;
  remove(ids: readonly string[]): Promise<void>;
}

export const TOO_MANY = '*';
