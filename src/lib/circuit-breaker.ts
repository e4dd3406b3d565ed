/**
 * A circuit breaker: stops calls to a server that keeps failing, and probes from time to time whether it has recovered.
 *
 * `admit`, `succeeded`, `failed` and `abandoned` are pure functions from one state to the next; `Breaker` keeps the
 * state of one server within a process. It opens after several failures with different keys and no success in between,
 * so that one bad caller does not cut off the server for the others. After a pause one call is let through as a probe;
 * each failed probe doubles the pause, up to a limit. All times are in milliseconds.
 */
import type { Clock } from './time/clock.ts';

/** The rules of a breaker; all times in milliseconds. */
export interface BreakerRules {
  /** Number of failures, with no success in between, that open it; each key counts once. */
  readonly failures: number;
  /** A failure older than this is dropped. */
  readonly window: number;
  /** How long it stays open the first time; doubled each time its probe fails, up to `longestPause`. */
  readonly pause: number;
  readonly longestPause: number;
  /** The longest pause the other side may ask for (`Retry-After`). */
  readonly longestRetryAfter: number;
  /** How long a probe may remain unanswered before it is given up. */
  readonly probe: number;
}

interface Failing {
  readonly key: string;
  readonly at: number;
}

/**
 * `closed`: all calls pass. `open`: none pass before `until`. `half-open`: one probe is in progress and decides.
 * `openings` counts since it was last closed.
 */
export type BreakerState =
  | { readonly state: 'closed'; readonly failures: readonly Failing[] }
  | {
      readonly state: 'open';
      readonly since: number;
      readonly until: number;
      readonly reason: string;
      readonly openings: number;
    }
  | {
      readonly state: 'half-open';
      readonly since: number;
      readonly until: number;
      readonly reason: string;
      readonly openings: number;
    };

/**
 * A failure that counts towards opening. `key` identifies whose call failed: several failures of one key
 * count once.
 */
export interface BreakerFailure {
  readonly key: string;
  readonly at: number;
  readonly reason: string;
  /** Opens at once: the failure does not depend on the caller. */
  readonly plain?: boolean | undefined;
  /** The pause the other side asked for. */
  readonly retryAfter?: number | undefined;
}

/** The initial state. */
export const closedBreaker: BreakerState = { state: 'closed', failures: [] };

/** Whether a call may be sent, and the next state; `until` in milliseconds since the epoch. */
export type Admission =
  | { readonly admitted: true; readonly state: BreakerState }
  | { readonly admitted: false; readonly state: BreakerState; readonly until: number };

/** Whether another call may be sent at `now`. The first after a pause is the probe. */
export function admit(state: BreakerState, now: number, rules: BreakerRules): Admission {
  if (state.state === 'closed') return { admitted: true, state };
  // A longer pause than any allowed was set by a clock that has been set back since.
  const longest = Math.max(rules.longestPause, rules.longestRetryAfter + rules.pause, rules.probe);
  if (now < state.until && state.until <= now + longest)
    return { admitted: false, state, until: state.until };
  const { since, reason, openings } = state;
  return { admitted: true, state: { state: 'half-open', since, reason, openings, until: now + rules.probe } };
}

/** The state after a success: closed, because the server responds. */
export const succeeded = (): BreakerState => closedBreaker;

/**
 * The state after a failure. `random` returns numbers in [0, 1): half of a pause is fixed and half random, so
 * that many instances do not probe at the same moment.
 */
export function failed(
  state: BreakerState,
  failure: BreakerFailure,
  rules: BreakerRules,
  random: () => number,
): BreakerState {
  switch (state.state) {
    case 'closed': {
      const failures = [
        ...state.failures.filter(({ key, at }) => key !== failure.key && failure.at - at < rules.window),
        { key: failure.key, at: failure.at },
      ];
      return failure.plain === true || failures.length >= rules.failures
        ? opened(failure, 1, failure.at, rules, random)
        : { state: 'closed', failures };
    }
    case 'half-open':
      return opened(failure, state.openings + 1, state.since, rules, random);
    case 'open':
      return state;
  }
}

/** The state after a probe that was not sent after all: the next call may be one. */
export const abandoned = (state: BreakerState, now: number): BreakerState =>
  state.state === 'half-open' ? { ...state, state: 'open', until: now } : state;

function opened(
  failure: BreakerFailure,
  openings: number,
  since: number,
  rules: BreakerRules,
  random: () => number,
): BreakerState {
  const full = Math.min(rules.longestPause, rules.pause * 2 ** Math.min(30, openings - 1));
  const jittered = full / 2 + (full / 2) * random();
  const retryAfter = Math.min(failure.retryAfter ?? 0, rules.longestRetryAfter);
  const until = failure.at + (retryAfter > 0 ? retryAfter + (rules.pause / 2) * random() : jittered);
  return { state: 'open', since, until: Math.ceil(until), reason: failure.reason, openings };
}

/** The state of a breaker, for health, metrics and log. */
export type BreakerView =
  | { readonly state: 'closed' }
  | { readonly state: 'open' | 'half-open'; readonly since: number; readonly reason: string };

/** The right to make one call, whose outcome must be reported exactly once. */
export interface Pass {
  succeeded(): void;
  failed(reason: string, how?: Pick<BreakerFailure, 'plain' | 'retryAfter'>): void;
  /** The call was not sent after all. */
  unused(): void;
}

/** The rules of one breaker, and the callback for its changes. */
export interface BreakerParts {
  readonly rules: BreakerRules;
  readonly clock: Clock;
  readonly random?: (() => number) | undefined;
  /** Called when it opens and when it closes, not for each failed probe. */
  readonly onChange?: ((view: BreakerView) => void) | undefined;
}

/** Keeps the state of one server within this process. */
export class Breaker {
  readonly #parts: BreakerParts;
  #state = closedBreaker;

  constructor(parts: BreakerParts) {
    this.#parts = parts;
  }

  get view(): BreakerView {
    const { state } = this.#state;
    return state === 'closed' ? { state } : { state, since: this.#state.since, reason: this.#state.reason };
  }

  get isClosed(): boolean {
    return this.#state.state === 'closed';
  }

  /**
   * The end of the pause during which nothing may be sent, in milliseconds since the epoch; undefined: calls may be
   * sent. Takes no pass.
   */
  get shutUntil(): number | undefined {
    if (this.isClosed) return undefined;
    const admission = admit(this.#state, this.#parts.clock.now(), this.#parts.rules);
    return admission.admitted ? undefined : admission.until;
  }

  /** A pass, or the time until which there is none, in milliseconds since the epoch. */
  enter(key: string): Pass | number {
    const { clock, rules, random = Math.random } = this.#parts;
    const admission = admit(this.#state, clock.now(), rules);
    if (!admission.admitted) return admission.until;
    this.#become(admission.state);
    const isProbe = admission.state.state === 'half-open';
    return {
      succeeded: () => {
        this.#become(succeeded());
      },
      failed: (reason, how = {}) => {
        this.#become(failed(this.#state, { key, at: clock.now(), reason, ...how }, rules, random));
      },
      unused: () => {
        // A call admitted before the breaker opened may end during another call's probe.
        if (isProbe) this.#become(abandoned(this.#state, clock.now()));
      },
    };
  }

  /** The other side is known to respond. */
  reset(): void {
    this.#become(succeeded());
  }

  #become(state: BreakerState): void {
    const wasClosed = this.#state.state === 'closed';
    this.#state = state;
    if (wasClosed !== (state.state === 'closed')) this.#parts.onChange?.(this.view);
  }
}
