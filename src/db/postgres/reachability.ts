import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../lib/time/clock.ts';
import type { StoreOutage } from '../../lib/store-fault.ts';

/** The probe of a database, and the effects of an outage. */
export interface ReachabilityParts {
  /** Sends a small query. Returns the error as text; undefined if the database answers. Never rejects. */
  readonly probe: () => Promise<string | undefined>;
  /** Whether rows can still be read. */
  readonly reads: boolean;
  /** Called first, so that everything still waiting for an answer fails now. */
  readonly onAway?: () => void;
  readonly clock: Clock;
}

/**
 * In milliseconds. A restart takes a second or two, and no caller should wait longer than this after its end.
 */
const BETWEEN_PROBES = 250;

/**
 * Detects whether the database answers. Callers report bad or missing answers; a probe then decides, and
 * while the database is away further probes detect its return.
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

  /** Undefined if the database answers, as far as is known. */
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

  /** Waits for the database's return for at most `millis`; returns whether it is back. */
  async back(millis: number): Promise<boolean> {
    const deadline = performance.now() + millis;
    while (this.#outage !== undefined && !this.#closed && performance.now() < deadline)
      await delay(Math.min(BETWEEN_PROBES, Math.max(1, deadline - performance.now())));
    return this.#outage === undefined;
  }

  /** Stops probing. */
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
