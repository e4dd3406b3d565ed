import { HOUR, MINUTE, type Clock } from '../../lib/time/clock.ts';
import type { Destination } from '../../upstream/model.ts';

/** Between two questions about an account: a fault of a gateway is mostly over by then. */
const AGAIN = 5 * MINUTE;
/** More accounts of one application in an hour are not lost: the service or a gateway is at fault. */
const MOST_LOST = 3;
/** Most accounts that are remembered. */
const MOST = 1_000;

interface Suspect {
  readonly to: Destination;
  readonly asked: number;
  /** How long it is not asked about again. */
  readonly wait: number;
}

/** Accounts whose organisation once seemed disconnected. In memory: after a restart, a later call notes it again. */
export class Suspects {
  readonly #clock: Clock;
  readonly #suspects = new Map<string, Suspect>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has({ accountId }: Destination): boolean {
    return this.#suspects.has(accountId);
  }

  /** Those to ask about again, each not before its time even if the clock was ahead. */
  due(): readonly Destination[] {
    const now = this.#clock.now();
    return [...this.#suspects.values()]
      .filter(({ asked, wait }) => Math.abs(now - asked) >= wait)
      .map(({ to }) => to);
  }

  /** Notes that it has been asked about. */
  asked(to: Destination, wait = AGAIN): void {
    if (this.has(to) || this.#suspects.size < MOST)
      this.#suspects.set(to.accountId, { to, asked: this.#clock.now(), wait });
  }

  clear({ accountId }: Destination): void {
    this.#suspects.delete(accountId);
  }

  /**
   * Keeps it for an hour and returns how many accounts of its application there are, if too many may be lost. `lost`:
   * those that were lost in the last hour.
   */
  held(to: Destination, lost: number): number | undefined {
    const suspects = [...this.#suspects.values()].filter((one) => one.to.application === to.application);
    const many = suspects.length + lost;
    if (many <= MOST_LOST) return undefined;
    this.asked(to, HOUR);
    return many;
  }
}
