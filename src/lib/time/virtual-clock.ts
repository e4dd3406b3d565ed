import type { Clock } from './clock.ts';
import { EventHeap } from './event-heap.ts';
import type { Timer } from './timer.ts';
import { nextTurn } from './turn.ts';

interface Event {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

/** Events run before other work gets a turn of the event loop: about a millisecond. */
const AT_ONCE = 100;

/**
 * A clock that jumps from one event to the next, with a timer of its own: a simulated week takes only as long as its
 * computation. Events of one moment run in the order in which they were created.
 */
export class VirtualClock implements Clock {
  readonly #heap = new EventHeap<Event>();
  #now: number;
  #order = 0;

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Calls back after that many virtual milliseconds; the returned function cancels it. */
  readonly timer: Timer = (millis, run) => {
    const event: Event = { at: this.#now + Math.max(0, millis), order: this.#order, run };
    this.#order += 1;
    this.#heap.push(event);
    return () => {
      event.run = undefined;
    };
  };

  /** Resolves after that many virtual milliseconds. */
  pause(millis: number): Promise<void> {
    return new Promise((resolve) => {
      this.timer(millis, resolve);
    });
  }

  /**
   * Runs events until there is none left; everything that an event starts through promises has run before the next
   * event begins.
   */
  async run(signal?: AbortSignal): Promise<void> {
    for (let count = 1; ; count += 1) {
      await settled();
      if (count % AT_ONCE === 0) await nextTurn();
      signal?.throwIfAborted();
      const event = this.#heap.pop();
      if (event === undefined) return;
      this.#now = event.at;
      event.run?.();
    }
  }
}

/** Node runs a tick only when no promise callback is pending, and it costs less than a turn of the event loop. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    process.nextTick(resolve);
  });
