import { Breaker, type BreakerRules, type Pass } from '../../lib/circuit-breaker.ts';
import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import type { TransportFault } from './outcome.ts';

export interface AccountBreakersParts {
  readonly clock: Clock;
  readonly random?: (() => number) | undefined;
  /** Called when an account's breaker opens, with the reason, and when it closes. */
  readonly onChange?: ((account: string, reason: string | undefined) => void) | undefined;
}

interface FailingAccount {
  readonly breaker: Breaker;
  /** In milliseconds since the epoch. */
  readonly failedAt: number;
}

/**
 * Ten failures in a row; then one call at a time, the first after 5 s, later ones at growing pauses of up to
 * 30 s.
 */
const rules: BreakerRules = {
  failures: 10,
  window: MINUTE,
  pause: 5 * SECOND,
  longestPause: 30 * SECOND,
  longestRetryAfter: 0,
  probe: 10 * SECOND,
};

/**
 * What a gateway answers if the service behind it is not there. Not 500, which V1 gives for a message it
 * cannot read, and not 504 or 408, which only mean slow.
 */
const FAILING: ReadonlySet<number> = new Set([502, 503]);

/**
 * Circuit breakers of the accounts at one upstream root, for an organisation whose calls all fail while
 * others are served. Only failures open them: cut connections, invalid answers, 502 and 503. Slowness never
 * does, nor do time-outs. An account without failures has no breaker and costs nothing; one that stops calling
 * loses its breaker, because a single one takes every account's calls off the fast path.
 */
export class AccountBreakers {
  readonly #parts: AccountBreakersParts;
  /** In the order of their last failures. */
  readonly #breakers = new Map<string, FailingAccount>();
  /** No account has failed lately; a field, because every call asks. */
  isQuiet = true;
  #failures = 0;

  constructor(parts: AccountBreakersParts) {
    this.#parts = parts;
  }

  /** How many are open. */
  get open(): number {
    this.#dropOld();
    let open = 0;
    for (const { breaker } of this.#breakers.values()) if (!breaker.isClosed) open += 1;
    return open;
  }

  /** Milliseconds until a call of this account may be sent again; undefined: it may. */
  shutFor(account: string): number | undefined {
    this.#dropOld();
    const until = this.#breakers.get(account)?.breaker.shutUntil;
    return until === undefined ? undefined : until - this.#parts.clock.now();
  }

  /** For the call that tests whether an open breaker may close; undefined if there is nothing to test. */
  enter(account: string): Pass | undefined {
    const breaker = this.#breakers.get(account)?.breaker;
    if (breaker === undefined || breaker.isClosed) return undefined;
    const pass = breaker.enter(account);
    return typeof pass === 'number' ? undefined : pass;
  }

  answered(account: string, status: number, pass: Pass | undefined): void {
    if (FAILING.has(status)) this.#failed(account, `status ${status}`, pass);
    else this.#forget(account);
  }

  failed(account: string, fault: TransportFault, pass: Pass | undefined): void {
    switch (fault.kind) {
      case 'cut':
      case 'garbled':
        this.#failed(account, fault.message, pass);
        return;
      case 'slow':
        if (pass !== undefined) this.#forget(account);
        return;
      case 'unreachable':
      case 'aborted':
        pass?.unused();
    }
  }

  #failed(account: string, reason: string, probe: Pass | undefined): void {
    const breaker = this.#breakers.get(account)?.breaker ?? this.#make(account);
    this.#breakers.delete(account);
    this.#breakers.set(account, { breaker, failedAt: this.#parts.clock.now() });
    this.isQuiet = false;
    if (probe !== undefined) {
      probe.failed(reason);
      return;
    }
    // Of the calls in progress when it opened, the later ones say nothing new.
    const pass = breaker.isClosed ? breaker.enter(String((this.#failures += 1))) : undefined;
    if (typeof pass === 'object') pass.failed(reason);
  }

  #make(account: string): Breaker {
    const { clock, random, onChange } = this.#parts;
    return new Breaker({
      rules,
      clock,
      random,
      onChange: (view) => onChange?.(account, view.state === 'closed' ? undefined : view.reason),
    });
  }

  /** No pause is as long as `window`; a failure in the future dates from before the clock was set back. */
  #dropOld(): void {
    const now = this.#parts.clock.now();
    for (const [account, { failedAt }] of this.#breakers) {
      if (Math.abs(now - failedAt) < rules.window) break;
      this.#forget(account);
    }
    this.isQuiet = this.#breakers.size === 0;
  }

  #forget(account: string): void {
    this.#breakers.get(account)?.breaker.reset();
    this.#breakers.delete(account);
    this.isQuiet = this.#breakers.size === 0;
  }
}
