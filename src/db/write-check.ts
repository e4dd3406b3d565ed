import { withLogSpace } from './sqlite/disk-space.ts';
import type { Engine } from './engine.ts';
import { StoreFault } from '../lib/store-fault.ts';
import type { Settings } from './settings.ts';

const MARK = 'write-check';
/** How long a proof is valid that a table can grow or that data can be stored, in milliseconds. */
const PROVED_FOR = 1_000;
const NO_ROOM = 'no room can be kept beside the database: its disk is full, or can only be read';

/**
 * Checks that data can be stored, before a request is sent upstream whose answer must be stored. Simultaneous
 * callers share one check.
 */
export class WriteCheck {
  readonly #settings: Settings;
  readonly #engine: Engine;
  #running: Promise<void> | undefined;
  #finding: Promise<void> | undefined;
  #provedAt = -Infinity;

  constructor(settings: Settings, engine: Engine) {
    this.#settings = settings;
    this.#engine = engine;
  }

  /**
   * Rejects with `StoreFault` if nothing can be stored, or if the disk has no space for the answer.
   * `storedAt`: when the caller last stored something, in the time of `performance.now`; a recent time makes
   * the test write unnecessary.
   */
  run(storedAt = -Infinity): Promise<void> {
    if (performance.now() - storedAt < PROVED_FOR) return this.#findRoom();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    await this.#findRoom();
    await withLogSpace(this.#engine, () => this.#settings.set(MARK, String(Date.now())));
  }

  #findRoom(): Promise<void> {
    this.#finding ??= this.#proveRoom().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #proveRoom(): Promise<void> {
    const { reserve } = this.#engine;
    if (reserve !== undefined && !(await reserve.hold()))
      throw new StoreFault('unavailable', NO_ROOM, undefined, reserve.hindrance ?? 'full');
    const now = performance.now();
    if (now - this.#provedAt < PROVED_FOR) return;
    await this.#engine.proveRoom();
    this.#provedAt = now;
  }
}
