/**
 * The circuit breaker of one upstream root.
 *
 * It opens if the root refuses connections, or answers nobody: at least ten calls of at least three accounts
 * are in progress, none has been answered for five seconds, and a probe is not answered either. One slow
 * export, or one slow account, is not an outage. While it is open, the bridge's own probes check whether the
 * root is back, so that no call has to.
 */
import { Breaker, type BreakerRules, type BreakerView } from '../../lib/circuit-breaker.ts';
import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import { systemTimer, type Timer } from '../../lib/time/timer.ts';
import type { TransportFault } from './outcome.ts';
import { SHARED } from './connection-pool.ts';

/** Dependencies of the breaker. */
export interface RootBreakerParts {
  readonly clock: Clock;
  /**
   * Requests something that needs no token. Resolves with `undefined` if the root answered, otherwise with
   * the reason.
   */
  readonly probe: () => Promise<string | undefined>;
  readonly timer?: Timer | undefined;
  readonly random?: (() => number) | undefined;
  /** Called when it opens and when it closes. */
  readonly onChange?: ((view: BreakerView) => void) | undefined;
}

/**
 * How many calls, of how many accounts, must be unanswered, and for how many milliseconds, before the root is
 * suspected.
 */
const CALLS = 10;
const ACCOUNTS = 3;
const SILENCE = 5 * SECOND;
/**
 * In milliseconds. If no probe was ever answered (a firewall may drop requests without a token), only a call
 * can show that the root is back: one is sent this often.
 */
const TRIAL = MINUTE;

/**
 * Three refused connections with no answer in between; probes after 1 s, then at growing pauses of up to 15
 * s.
 */
const rules: BreakerRules = {
  failures: 3,
  window: MINUTE,
  pause: SECOND,
  longestPause: 15 * SECOND,
  longestRetryAfter: 0,
  probe: 5 * SECOND,
};

/** The breaker of one root. */
export class RootBreaker {
  /** Calls may be sent without a further check; a field, because every call asks. */
  isClosed = true;
  readonly #parts: RootBreakerParts;
  readonly #breaker: Breaker;
  readonly #timer: Timer;
  /** Unanswered calls by account. For shares of many accounts the number of accounts is not known. */
  readonly #out = new Map<string, number>();
  #calls = 0;
  #answeredAt = 0;
  /** How many calls and probes it has answered so far. */
  answers = 0;
  /** Refused connections since the last answer. */
  #refusals = 0;
  #watch: Watch = { state: 'idle' };
  #cancelProbe: (() => void) | undefined;
  /** Whether this root has ever answered a probe. */
  #hasAnsweredProbe = false;
  #trialAt = 0;
  #isStopped = false;

  constructor(parts: RootBreakerParts) {
    this.#parts = parts;
    this.#timer = parts.timer ?? systemTimer;
    const { clock, random, onChange } = parts;
    this.#breaker = new Breaker({
      rules,
      clock,
      random,
      onChange: (view) => {
        this.isClosed = view.state === 'closed';
        onChange?.(view);
      },
    });
  }

  get view(): BreakerView {
    return this.#breaker.view;
  }

  /** Milliseconds until the next probe; undefined: calls may be sent. */
  get shutFor(): number | undefined {
    if (this.isClosed) return undefined;
    const now = this.#parts.clock.now();
    // A later time than any was set by a clock that has been set back since.
    const isTrialDue = now >= this.#trialAt || this.#trialAt > now + TRIAL;
    if (!this.#hasAnsweredProbe && isTrialDue) return undefined;
    return Math.max(0, (this.#breaker.shutUntil ?? now) - now);
  }

  /** A request of this account is sent. */
  sent(account: string): void {
    this.#calls += 1;
    if (!SHARED.has(account)) this.#out.set(account, (this.#out.get(account) ?? 0) + 1);
    if (!this.isClosed) this.#trialAt = this.#parts.clock.now() + TRIAL;
    else if (this.#calls >= CALLS && this.#watch.state === 'idle' && this.#isWorthWatching()) this.#begin();
  }

  /** The root answered it, with whatever status. */
  answered(account: string): void {
    this.#back(account);
    this.#answeredAt = this.#parts.clock.now();
    this.answers += 1;
    if (this.#refusals > 0 || !this.isClosed) this.#close();
  }

  /** It has no answer, and none is expected any more. */
  failed(account: string, fault: TransportFault): void {
    this.#back(account);
    if (this.#isStopped || fault.kind !== 'unreachable' || !this.isClosed) return;
    this.#fail(fault.message, false);
  }

  /** Stops watching and probing. */
  stop(): void {
    this.#isStopped = true;
    if (this.#watch.state === 'silence') this.#watch.cancel();
    this.#cancelProbe?.();
  }

  #back(account: string): void {
    const left = (this.#out.get(account) ?? 1) - 1;
    if (left > 0) this.#out.set(account, left);
    else this.#out.delete(account);
    this.#calls -= 1;
    if (this.#watch.state !== 'silence' || this.#isWorthWatching()) return;
    this.#watch.cancel();
    this.#watch = { state: 'idle' };
  }

  #isWorthWatching(): boolean {
    return this.#calls >= CALLS && this.#out.size >= ACCOUNTS && this.isClosed && !this.#isStopped;
  }

  #begin(): void {
    this.#lookAfter(SILENCE, this.#parts.clock.now());
  }

  #lookAfter(millis: number, since: number): void {
    const cancel = this.#timer(millis, () => {
      const left = Math.max(since, this.#answeredAt) + SILENCE - this.#parts.clock.now();
      // More is left only if the clock has been set back.
      if (left > 0 && left <= SILENCE) this.#lookAfter(left, since);
      else void this.#suspect();
    });
    this.#watch = { state: 'silence', cancel };
  }

  /** Silence: the probe decides, unless a call is answered first. */
  async #suspect(): Promise<void> {
    this.#watch = { state: 'probe' };
    const since = this.#parts.clock.now();
    this.#answeredAt = Math.min(this.#answeredAt, since - 1);
    const reason = await this.#probe();
    this.#watch = { state: 'idle' };
    if (this.#isStopped || !this.isClosed) return;
    if (reason !== undefined && this.#answeredAt < since)
      this.#fail(`no call is answered, and no probe: ${reason}`, true);
    else if (this.#isWorthWatching()) this.#begin();
  }

  async #probe(): Promise<string | undefined> {
    const reason = await this.#parts.probe();
    this.#hasAnsweredProbe ||= reason === undefined;
    if (reason === undefined) this.answers += 1;
    return reason;
  }

  /** `isPlain`: opens at once. Every refusal counts, whichever account it concerns. */
  #fail(reason: string, isPlain: boolean): void {
    this.#refusals += 1;
    const pass = this.#breaker.enter(String(this.#refusals));
    if (typeof pass === 'number') return;
    pass.failed(reason, { plain: isPlain });
    if (this.isClosed) return;
    this.#trialAt = this.#parts.clock.now() + TRIAL;
    this.#probeLater();
  }

  #close(): void {
    this.#refusals = 0;
    this.#cancelProbe?.();
    this.#breaker.reset();
  }

  #probeLater(): void {
    const now = this.#parts.clock.now();
    const pause = Math.max(0, (this.#breaker.shutUntil ?? now) - now);
    this.#cancelProbe = this.#timer(pause, () => void this.#probeNow());
  }

  async #probeNow(): Promise<void> {
    const pass = this.#breaker.enter('probe');
    if (typeof pass === 'number') {
      this.#probeLater();
      return;
    }
    const reason = await this.#probe();
    // A call may have been answered meanwhile.
    if (this.#isStopped || this.isClosed) return;
    if (reason === undefined) {
      this.#close();
      return;
    }
    pass.failed(reason);
    this.#probeLater();
  }
}

/**
 * `silence`: enough calls are in progress for it to mean something. `probe`: it has lasted, and a probe was
 * sent.
 */
type Watch =
  | { readonly state: 'idle' }
  | { readonly state: 'silence'; readonly cancel: () => void }
  | { readonly state: 'probe' };
