import { isAway } from '../lib/store-fault.ts';

/** A write that no caller waits for. */
export interface DeferredWrite {
  /** If several writes with the same key are waiting, only one is carried out. */
  readonly key: string;
  /** Number of entries it represents; default: one. */
  readonly count?: number;
  readonly write: () => Promise<unknown>;
  /** Called with the reason if the write is given up; with `Dropped` if the limit of what waits was reached. */
  readonly failed: (error: unknown) => void;
}

/** More waits than fits. It happens to many at once, and the health report says so. */
export class Dropped extends Error {
  constructor() {
    super('too many writes wait');
    this.name = 'Dropped';
  }
}

/** Limit of waiting entries, of about a kilobyte each. */
const MOST = 20_000;
/** In milliseconds. `resume` ends the pause when the database is back. */
const PAUSE = 5_000;

/**
 * Writes that no reply waits for, carried out one after the other. While the database is away they wait in
 * memory; beyond the limit the oldest are dropped. They are lost if the process dies, so nothing that was
 * promised may be written this way.
 */
export class DeferredWrites {
  readonly #most: number;
  readonly #waiting = new Map<string, DeferredWrite>();
  #current: DeferredWrite | undefined;
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

  /** Number of entries dropped since the start. */
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

  /** Tries again, because the database is back or may be. */
  resume(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when no write is waiting, or when the waiting ones cannot be written now. */
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
    // The work must not run within the caller that adds a write.
    await Promise.resolve();
    for (const deferred of this.#waiting.values()) {
      const { write, failed } = deferred;
      this.#current = deferred;
      try {
        await write();
      } catch (error) {
        if (isAway(error)) {
          if (this.#waiting.get(deferred.key) !== deferred) failed(new Dropped());
          this.#later();
          return;
        }
        failed(error);
      } finally {
        this.#current = undefined;
      }
      this.#forget(deferred);
    }
  }

  /** A write may have been dropped while it was carried out. */
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
    if (oldest === undefined || !this.#forget(oldest)) return;
    this.#dropped += oldest.count ?? 1;
    // One that is being carried out may still succeed.
    if (oldest !== this.#current) oldest.failed(new Dropped());
  }
}
