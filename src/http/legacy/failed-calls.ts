import { errorFields, wordsOf, type Log } from '../../lib/log/log.ts';
import type { Failure } from '../../lib/failure.ts';
import { MINUTE, type Clock } from '../../lib/time/clock.ts';

/** Most reasons that are remembered. */
const MOST = 20;
/** Names of files and ports of connections differ in words that mean the same. */
const NUMBERS = /\d+/g;

interface Reason {
  /** When a line was written last. */
  at: number;
  /** Calls that have failed since. */
  calls: number;
}

/**
 * Writes the log line of calls that failed inside the bridge. An error in the code has a line for each call, with its
 * stack. A database or disk that refuses fails each call that needs it with the same words, and its stack says nothing:
 * it has one line a minute, with the number of calls.
 */
export class FailedCalls {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #reasons = new Map<string, Reason>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  report(request: string, { code, cause, text }: Failure): void {
    if (code === 'internal') this.#log.error('call.failed', { request, ...errorFields(cause) });
    else if (code === 'storeUnavailable') this.#once(request, cause === undefined ? text : wordsOf(cause));
  }

  #once(request: string, error: string): void {
    const now = this.#clock.now();
    const reason = error.replaceAll(NUMBERS, '#');
    const known = this.#reasons.get(reason);
    const calls = (known?.calls ?? 0) + 1;
    // A clock that was set back would silence the reason until it is past that time again.
    if (known !== undefined && Math.abs(now - known.at) < MINUTE) {
      known.calls = calls;
      return;
    }
    if (known === undefined && this.#reasons.size >= MOST) this.#reasons.clear();
    this.#reasons.set(reason, { at: now, calls: 0 });
    this.#log.error('call.failed', { request, error, calls });
  }
}
