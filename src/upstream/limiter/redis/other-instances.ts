/**
 * The other instances of a deployment, as one of them sees them in the register and in the shared store: which live, which are
 * gone, and what follows for the permits (docs/decisions/limits/0008-shared-permits.md).
 */
import { SECOND } from '../../../lib/time/clock.ts';
import { Contacts, type Greeted } from '../contacts.ts';
import { TOO_MANY, type Present } from '../permit-pool.ts';
import type { Pace } from '../waiting/pace.ts';

/** In milliseconds, added to the time for which an instance that left said that its requests count. */
const LEFT = 5 * SECOND;

/** Those that have not left, and how many of them do not reach the shared store. */
export interface Living {
  readonly count: number;
  readonly missing: number;
}

/** All instances but this one. */
export class OtherInstances {
  readonly #pace: Pace;
  readonly #contacts: Contacts;
  #others: readonly Present[] = [];
  /** Instances that left or died, to be removed from the shared store and then from the register. */
  #gone: readonly string[] = [];

  constructor(pace: Pace) {
    this.#pace = pace;
    this.#contacts = new Contacts(pace.fence);
  }

  get count(): number {
    return this.#others.length;
  }

  get gone(): readonly string[] {
    return this.#gone;
  }

  /** What one greeting of the shared store showed. */
  greeted(greeted: Greeted): void {
    this.#contacts.noted(
      greeted,
      this.#others.map(({ id }) => id),
    );
  }

  /** Takes over the register as read no later than `received`, of a clock that is never set. `reaches`: the shared store. */
  registered(others: readonly Present[], received: number, reaches: boolean): void {
    for (const { id, age } of others) this.#contacts.registered(id, received - age);
    const isGone = (other: Present): boolean => this.#isGone(other, received, reaches);
    this.#gone = others.filter(isGone).map(({ id }) => id);
    this.#others = others.filter((other) => !isGone(other));
  }

  /** Alone: all others are down to an equal share of this key. */
  areWithinShares(key: string): boolean {
    return this.#others.every(
      ({ state, instances, over }) =>
        (state === 'alone' || state === 'left') &&
        instances >= this.#others.length + 1 &&
        !over.includes(key) &&
        !over.includes(TOO_MANY),
    );
  }

  get living(): Living {
    const living = this.#living;
    return { count: living.length, missing: living.filter(({ reaches }) => !reaches).length };
  }

  /**
   * Whether all have entered this epoch of the shared store and seen this instance. One that has not would take the
   * whole limit for its share as soon as it loses Redis. A silent one takes nothing before its next heartbeat, by which it
   * has seen this one; what it held stays in the store until it is gone.
   */
  areIn(epoch: string): boolean {
    const living = this.#living;
    return living.every(
      (other) =>
        (other.state === 'frozen' || other.state === 'shared') &&
        other.epoch === epoch &&
        (other.instances > living.length || other.age > this.#pace.fence),
    );
  }

  get #living(): readonly Present[] {
    return this.#others.filter(({ state }) => state !== 'left');
  }

  /**
   * Whether nothing it sent can count any more. An instance that said it is alone shares again only after
   * another heartbeat; any other must be silent in the store as well, or the longest outage must be over.
   */
  #isGone({ id, state, age, counts }: Present, now: number, reaches: boolean): boolean {
    const { fence, settle, outage } = this.#pace;
    if (state === 'left') return age > counts + LEFT;
    if (age > fence + outage + settle) return true;
    const isUnheard = reaches && this.#contacts.silentFor(id, now) > fence + settle;
    return age > fence + settle && (state === 'alone' || isUnheard);
  }
}
