import { EventHeap } from '../../src/lib/time/event-heap.ts';
import { settled } from './settled.ts';
import type { Clock } from '../../src/lib/time/clock.ts';

/** The owner of an event's code: it never runs once its owner is dead, and waits while its owner is frozen. */
export interface Owner {
  readonly isDead: boolean;
  /** Milliseconds since the epoch. */
  readonly frozenUntil: number;
}

interface Event {
  at: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  run: (() => void) | undefined;
}

/** The part of Node's timer that the simulated code uses. */
export class VirtualTimer {
  event: Event | undefined;

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  cancel(): void {
    if (this.event !== undefined) this.event.run = undefined;
    this.event = undefined;
  }
}

/**
 * A clock that jumps from one event to the next, and the queue of events. Events of one moment run in the order in
 * which they were created, so that a run depends only on its seed.
 *
 * `install` puts it in place of the global timers, of `Date.now`, `performance.now` and `Math.random`: the code under
 * simulation is the real one, unaware of this. A timer belongs to the owner of the event that created it.
 */
export class VirtualTime implements Clock {
  readonly #start: number;
  readonly #heap = new EventHeap<Event>();
  #now: number;
  #order = 0;
  #current: Owner | undefined;
  /** The last outside work requested, until it is done. */
  #outside: Promise<undefined> | undefined;

  constructor(start: number) {
    this.#start = start;
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  /** Milliseconds since the simulation began. */
  elapsed(): number {
    return this.#now - this.#start;
  }

  /** Runs `run` after `millis`, as part of `owner`; undefined: as part of the world, which neither dies nor freezes. */
  after(millis: number, run: () => void, owner: Owner | undefined): VirtualTimer {
    const timer = new VirtualTimer();
    timer.event = { at: this.#now + Math.max(0, millis), order: this.#order, owner, run };
    this.#order += 1;
    this.#heap.push(timer.event);
    return timer;
  }

  /** Runs code of `owner` now, outside any event. */
  as(owner: Owner, run: () => void): void {
    const before = this.#current;
    this.#current = owner;
    run();
    this.#current = before;
  }

  /**
   * Work that leaves the microtask queue (a database driver): no event runs before it is done. Runs one after the
   * other, in the order of the requests, so that no outcome depends on which answer comes first.
   */
  async outside<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#outside;
    const done = Promise.withResolvers<undefined>();
    this.#outside = done.promise;
    await before;
    try {
      return await work();
    } finally {
      if (this.#outside === done.promise) this.#outside = undefined;
      done.resolve(undefined);
    }
  }

  /** Runs events until there is none left, or `isOver`, which is checked before each. */
  async run(isOver: () => boolean): Promise<void> {
    await this.#settle();
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
      this.#current = owner;
      event.run = undefined;
      run();
      await this.#settle();
    }
  }

  /** Returns a function that restores everything. `random` replaces the random source. */
  install(random: () => number): () => void {
    const { setTimeout, setInterval, clearTimeout, clearInterval, performance } = globalThis;
    const now = Reflect.get(Date, 'now');
    const randomSource = Reflect.get(Math, 'random');
    const clear = (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.cancel();
      // A timer created before the installation.
      else clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
    };
    const put = (name: string, value: unknown): void => {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    };
    put('setTimeout', (run: (...given: unknown[]) => void, millis = 0, ...given: unknown[]) =>
      this.after(
        millis,
        () => {
          run(...given);
        },
        this.#current,
      ),
    );
    put('setInterval', (run: () => void, millis: number) => this.#every(millis, run));
    put('clearTimeout', clear);
    put('clearInterval', clear);
    put('performance', { now: () => this.elapsed() });
    Date.now = () => this.#now;
    Math.random = random;
    return () => {
      put('setTimeout', setTimeout);
      put('setInterval', setInterval);
      put('clearTimeout', clearTimeout);
      put('clearInterval', clearInterval);
      put('performance', performance);
      Date.now = now;
      Math.random = randomSource;
    };
  }

  #every(millis: number, run: () => void): VirtualTimer {
    const owner = this.#current;
    const timer = new VirtualTimer();
    const schedule = (): void => {
      const next = (): void => {
        schedule();
        run();
      };
      timer.event = this.after(millis, next, owner).event;
    };
    schedule();
    return timer;
  }

  async #settle(): Promise<void> {
    await settled();
    while (this.#outside !== undefined) {
      await this.#outside;
      await settled();
    }
  }
}
