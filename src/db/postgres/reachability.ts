import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../lib/time/clock.ts';
import type { StoreOutage } from '../../lib/store-fault.ts';

/** How a database is probed, and what else depends on it. */
export interface ReachabilityParts {
  /**
   * Asks for something small. Returns what is wrong, as text; undefined: the database answers. Never rejects.
   */
  readonly probe: () => Promise<string | undefined>;
  /** Whether rows can still be read. */
  readonly reads: boolean;
  /** Called first: whatever still waits for an answer must fail now. */
  readonly onAway?: () => void;
  readonly clock: Clock;
}

/** In milliseconds: a restart takes a second or two, and nobody should wait longer than that for its end. */
const BETWEEN_PROBES = 250;

/**
 * Whether the database answers. Callers report bad or missing answers; a probe then decides, and while the
 * database is away further probes find out when it is back.
 */
export class Reachability {
  readonly #parts: ReachabilityParts;
  readonly #listeners = new Set<(outage: StoreOutage | undefined) => void>();
  #outage: StoreOutage | undefined;
  #probing: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(parts: ReachabilityParts) {
    this.#parts = parts;
  }

  /** Undefined: it answers, as far as is known. */
  get outage(): StoreOutage | undefined {
    return this.#outage;
  }

  /** Called when the database goes away, and with undefined when it is back. */
  watch(listener: (outage: StoreOutage | undefined) => void): void {
    this.#listeners.add(listener);
  }

  /** Resolves with true if the database answers. Simultaneous callers share a probe. */
  doubt(): Promise<boolean> {
    if (this.#closed || this.#outage !== undefined) return Promise.resolve(false);
    return this.#look();
  }

  /** Waits at most `millis` until it is back; false if it is not. */
  async back(millis: number): Promise<boolean> {
    const deadline = performance.now() + millis;
    while (this.#outage !== undefined && !this.#closed && performance.now() < deadline)
      await delay(Math.min(BETWEEN_PROBES, Math.max(1, deadline - performance.now())));
    return this.#outage === undefined;
  }

  /** Starts no further probe. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #look(): Promise<boolean> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #probe(): Promise<boolean> {
    const reason = await this.#parts.probe();
    if (this.#closed) return false;
    this.#settle(reason);
    if (reason === undefined) return true;
    this.#timer = setTimeout(() => void this.#look(), BETWEEN_PROBES).unref();
    return false;
  }

  #settle(reason: string | undefined): void {
    const before = this.#outage;
    if ((before === undefined) === (reason === undefined)) return;
    const { clock, reads, onAway } = this.#parts;
    this.#outage = reason === undefined ? undefined : { since: clock.now(), reason, reads };
    if (this.#outage !== undefined) onAway?.();
    for (const tell of this.#listeners) tell(this.#outage);
  }
}
