import { isAway } from '../lib/store-fault.ts';

/** A write that nobody waits for. */
export interface DeferredWrite {
  /** Of several waiting writes with the same key, one is enough: it is written once. */
  readonly key: string;
  /** How many entries it stands for; default: one. */
  readonly count?: number;
  readonly write: () => Promise<unknown>;
  /** Called with the reason if it is given up for good. */
  readonly failed: (error: unknown) => void;
}

/** Entries of about a kilobyte each. */
const MOST = 20_000;
/** In milliseconds. `resume` ends the pause when the database is back. */
const PAUSE = 5_000;

/**
 * Writes that no reply waits for, one after the other. While the database is away they wait in memory; beyond
 * the limit the oldest are dropped. A process that dies loses them, so nothing that was promised to anybody
 * belongs here.
 */
export class DeferredWrites {
  readonly #most: number;
  readonly #waiting = new Map<string, DeferredWrite>();
  #count = 0;
  #dropped = 0;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(most = MOST) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#count;
  }

  /** Number dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  add(deferred: DeferredWrite): void {
    if (this.#waiting.has(deferred.key)) return;
    this.#waiting.set(deferred.key, deferred);
    this.#count += deferred.count ?? 1;
    while (this.#count > this.#most && this.#waiting.size > 1) this.#dropOldest();
    if (this.#timer === undefined) this.resume();
  }

  /** The database is back, or may be. */
  resume(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when nothing waits, or what waits cannot be written now. */
  async settled(): Promise<void> {
    if (this.#waiting.size > 0) this.resume();
    await this.#running;
  }

  async close(): Promise<void> {
    await this.settled();
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    // The caller that adds something does not do the work.
    await Promise.resolve();
    for (const deferred of this.#waiting.values()) {
      const { write, failed } = deferred;
      try {
        await write();
      } catch (error) {
        if (isAway(error)) {
          this.#later();
          return;
        }
        failed(error);
      }
      this.#forget(deferred);
    }
  }

  /** It may have been dropped while it was being written. */
  #forget(deferred: DeferredWrite): boolean {
    if (this.#waiting.get(deferred.key) !== deferred) return false;
    this.#waiting.delete(deferred.key);
    this.#count -= deferred.count ?? 1;
    return true;
  }

  #later(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.resume();
    }, PAUSE).unref();
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting.values();
    if (oldest !== undefined && this.#forget(oldest)) this.#dropped += oldest.count ?? 1;
  }
}
