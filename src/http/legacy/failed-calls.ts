import { errorFields, wordsOf, type Log } from '../../lib/log/log.ts';
import type { Failure } from '../../lib/failure.ts';
import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import { systemTimer, type Timer } from '../../lib/time/timer.ts';

/** Most reasons that are remembered. */
const MOST = 20;
/** Names of files and ports of connections differ in words that mean the same. */
const NUMBERS = /\d+/g;

interface Reason {
  /** When a line was written last. */
  readonly at: number;
  /** Calls that have failed since, and the last of them. */
  calls: number;
  last: { readonly request: string; readonly error: string } | undefined;
  /** Cancels the line about them. */
  readonly cancel: () => void;
}

/**
 * Writes the log line of calls that failed inside the bridge. An error in the code has a line for each call, with its
 * stack. A database or disk that refuses fails each call that needs it with the same words, and its stack says nothing:
 * it has a line at once, and then one a minute, with the number of calls.
 */
export class FailedCalls {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #reasons = new Map<string, Reason>();

  constructor(log: Log, clock: Clock, timer: Timer = systemTimer) {
    this.#log = log;
    this.#clock = clock;
    this.#timer = timer;
  }

  report(request: string, { code, cause, text }: Failure): void {
    if (code === 'internal') this.#log.error('call.failed', { request, ...errorFields(cause) });
    else if (code === 'storeUnavailable') this.#once(request, cause === undefined ? text : wordsOf(cause));
  }

  /** At a stop: writes about the calls that no line has counted yet. */
  writeRest(): void {
    for (const [reason, { calls, last, cancel }] of this.#reasons) {
      cancel();
      this.#reasons.delete(reason);
      if (last !== undefined) this.#log.error('call.failed', { ...last, calls });
    }
  }

  #once(request: string, error: string): void {
    const reason = error.replaceAll(NUMBERS, '#');
    const known = this.#reasons.get(reason);
    const calls = (known?.calls ?? 0) + 1;
    // A clock that was set back would silence the reason until it is past that time again.
    if (known !== undefined && Math.abs(this.#clock.now() - known.at) < MINUTE) {
      known.calls = calls;
      known.last = { request, error };
      return;
    }
    if (known === undefined && this.#reasons.size >= MOST) this.writeRest();
    known?.cancel();
    this.#write(reason, { request, error, calls });
  }

  #write(
    reason: string,
    line: { readonly request: string; readonly error: string; readonly calls: number },
  ): void {
    const cancel = this.#timer(MINUTE, () => {
      const { calls = 0, last } = this.#reasons.get(reason) ?? {};
      if (last === undefined) this.#reasons.delete(reason);
      else this.#write(reason, { ...last, calls });
    });
    this.#reasons.set(reason, { at: this.#clock.now(), calls: 0, last: undefined, cancel });
    this.#log.error('call.failed', line);
  }
}
