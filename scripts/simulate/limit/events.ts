import { EventHeap } from '../../../src/lib/time/event-heap.ts';
import { settled } from '../settled.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';

/** The owner of an event's code: it never runs once its owner is dead, and waits while its owner is frozen. */
export class Owner {
  isDead = false;
  frozenUntil = 0;
}

interface Event {
  at: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  run: (() => void) | undefined;
}

/** The queue of events of a virtual clock. Events of one moment run in the order in which they were created. */
export class Events implements Clock {
  readonly #heap = new EventHeap<Event>();
  #now = 1_800_000_000_000;
  #order = 0;

  now(): number {
    return this.#now;
  }

  /**
   * Runs `run` after `millis`, as part of `owner`; undefined: as part of the world. Returns a function that cancels it.
   */
  after(millis: number, owner: Owner | undefined, run: () => void): () => void {
    const event: Event = { at: this.#now + Math.max(0, millis), order: this.#order, owner, run };
    this.#order += 1;
    this.#heap.push(event);
    return () => {
      event.run = undefined;
    };
  }

  /** I/O of an owner: its continuation never runs once the owner is dead. */
  delay(millis: number, owner: Owner | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.after(millis, owner, resolve);
    });
  }

  /** Runs until there are no more events, or `isOver`, which is checked before each event. */
  async run(isOver: () => boolean): Promise<void> {
    await settled();
    while (!isOver()) {
      const event = this.#heap.pop();
      if (event === undefined) return;
      const { owner, run } = event;
      if (run === undefined || owner?.isDead === true) continue;
      if (owner !== undefined && owner.frozenUntil > event.at) {
        event.at = owner.frozenUntil;
        this.#heap.push(event);
        continue;
      }
      this.#now = event.at;
      event.run = undefined;
      run();
      await settled();
    }
  }
}
