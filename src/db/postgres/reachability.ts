import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../lib/time/clock.ts';
import type { StoreOutage } from '../../lib/store-fault.ts';

/** How a database is asked whether it answers, and what else depends on it. */
export interface ReachabilityParts {
  /** Asks for something small. What is the matter, in words; undefined: the database answers. Never rejects. */
  readonly probe: () => Promise<string | undefined>;
  /** Whether rows can be read all the same. */
  readonly reads: boolean;
  /** Told first: whatever still waits for an answer is to fail now. */
  readonly onAway?: () => void;
  readonly clock: Clock;
}

/** In milliseconds: a restart takes a second or two, and nobody should wait longer than that for its end. */
const BETWEEN_PROBES = 250;

/**
 * Whether the database answers. Whoever got no answer, or a bad one, says so; a probe decides, and while the database is
 * away further probes find out by themselves when it is back.
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

  /** Undefined: it answers, as far as anybody knows. */
  get outage(): StoreOutage | undefined {
    return this.#outage;
  }

  /** Told when the database goes away, and (with undefined) when it is back. */
  watch(listener: (outage: StoreOutage | undefined) => void): void {
    this.#listeners.add(listener);
  }

  /** Resolves with the verdict: true where the database answers. Those who doubt at the same time share a probe. */
  doubt(): Promise<boolean> {
    if (this.#closed || this.#outage !== undefined) return Promise.resolve(false);
    return this.#look();
  }

  /** Waits until it is back, for `millis` at most; false where it is not. */
  async back(millis: number): Promise<boolean> {
    const deadline = performance.now() + millis;
    while (this.#outage !== undefined && !this.#closed && performance.now() < deadline)
      await delay(Math.min(BETWEEN_PROBES, Math.max(1, deadline - performance.now())));
    return this.#outage === undefined;
  }

  /** No probe begins any more. */
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
