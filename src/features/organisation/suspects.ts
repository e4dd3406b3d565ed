import { HOUR, MINUTE, type Clock } from '../../lib/time/clock.ts';
import type { Destination } from '../../upstream/model.ts';

/** Between two questions about an account: a fault of a gateway is mostly over by then. */
const AGAIN = 5 * MINUTE;
/** More accounts of one application at once are not lost: the service or a gateway is at fault. */
const MOST_LOST = 3;
/** How long a lost account counts among them. */
const WINDOW = 10 * MINUTE;
/** Most accounts that are remembered. */
const MOST = 1_000;

interface Suspect {
  readonly to: Destination;
  readonly asked: number;
  /** How long it is not asked about again. */
  readonly wait: number;
}

interface Loss {
  readonly application: string;
  readonly at: number;
}

/** Accounts whose organisation once seemed disconnected. In memory: after a restart, a later call notes it again. */
export class Suspects {
  readonly #clock: Clock;
  readonly #suspects = new Map<string, Suspect>();
  #lost: readonly Loss[] = [];

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

  lost(to: Destination): void {
    this.clear(to);
    this.#lost = [...this.#recent(), { application: to.application, at: this.#clock.now() }];
  }

  /** Keeps it for an hour and returns how many accounts of its application there are, if too many may be lost. */
  held(to: Destination): number | undefined {
    const all = [...[...this.#suspects.values()].map((suspect) => suspect.to), ...this.#recent()];
    const many = all.filter(({ application }) => application === to.application).length;
    if (many <= MOST_LOST) return undefined;
    this.asked(to, HOUR);
    return many;
  }

  #recent(): readonly Loss[] {
    const now = this.#clock.now();
    return this.#lost.filter(({ at }) => Math.abs(now - at) < WINDOW);
  }
}
