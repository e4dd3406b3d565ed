/**
 * Watches accounts for some days after their move, so that the operator notices problems before the customer calls.
 *
 * The use of their programs before the move is already counted; it is saved when the watch begins, and all later
 * counts are compared with it.
 */
import { isDeepStrictEqual } from 'node:util';
import { DAY, HOUR, MINUTE, type Clock } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { HourCount } from '../../usage/call-log.ts';
import { packedUse, unpackedUse, type AccountUse } from '../../usage/names/account-use.ts';
import { findingsOf, type CallFigures } from './findings.ts';
import type { Pause, RunningWatch, StoredWatches, Unwatched } from './stored-watches.ts';

/** The parts of watches. */
export interface WatchesParts {
  readonly stored: StoredWatches;
  /** `CAUSEWAY_WATCH_DAYS`; 0: no account is watched. */
  readonly days: number;
  readonly use: (accountId: string) => Promise<AccountUse>;
  readonly hours: (accountId: string, since: number) => Promise<readonly HourCount[]>;
  readonly unlearned: (accountId: string) => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Calls are counted by the hour for eight days, and those of V1 in the week before a move are kept together a week longer
 * (`forgetHours`).
 */
const WEEK = 7 * DAY;
/**
 * Every process writes its counts within a minute. A watch that began earlier would take replies of V1 for replies
 * since the move.
 */
export const SETTLED = 2 * MINUTE;
/** Most watches that begin in one run. */
const AT_ONCE = 100;

/** The job that begins and updates watches. */
export class Watches {
  readonly #parts: WatchesParts;

  constructor(parts: WatchesParts) {
    this.#parts = parts;
  }

  /** Never rejects: the next run catches up. */
  async run(signal?: AbortSignal): Promise<void> {
    const { stored, days, clock, log } = this.#parts;
    try {
      const now = clock.now();
      const pauses = days === 0 ? new Map<string, readonly Pause[]>() : await this.#extended(now);
      await stored.expire(now);
      if (days === 0) return;
      for (const one of await stored.unwatched(now - days * DAY, now - SETTLED, AT_ONCE))
        await this.#begin(one);
      for (const watch of await stored.running(clock.now())) {
        if (signal?.aborted === true) return;
        // It is over, and only the clock was set back since.
        if (watch.before === '') continue;
        await this.#look(watch, pauses.get(watch.accountId) ?? []);
      }
    } catch (error) {
      log.error('watch.failed', { error: wordsOf(error) });
    }
  }

  /** An account is watched for some days of use: the time while its connection had ended does not count. */
  async #extended(now: number): Promise<ReadonlyMap<string, readonly Pause[]>> {
    const { stored, days } = this.#parts;
    const all = await stored.pauses();
    for (const [accountId, pauses] of all) {
      const paused = pauses.reduce((sum, { from, to }) => sum + to - from, 0);
      const movedAt = pauses[0]?.movedAt ?? now;
      await stored.extend(accountId, movedAt + days * DAY + paused, now);
    }
    return all;
  }

  async #begin(one: Unwatched): Promise<void> {
    const { stored, use, days } = this.#parts;
    const { accountId, movedAt } = one;
    const before = await packedUse(await use(accountId));
    const hours = await this.#parts.hours(accountId, movedAt - WEEK);
    // What the bridge refused by itself, as to an account that V1 serves no more, is not usual.
    const calls = figuresOf(hours.filter(({ hour, source }) => source === 'v1' && hour + HOUR <= movedAt));
    await stored.begin(one, { until: movedAt + days * DAY, before, calls });
  }

  async #look(watch: RunningWatch, pauses: readonly Pause[]): Promise<void> {
    const { accountId, movedAt, before, callsBefore, findings: known } = watch;
    const { stored, use, hours, unlearned, clock, log } = this.#parts;
    const now = clock.now();
    const since = await hours(accountId, Math.max(movedAt, now - WEEK));
    const findings = findingsOf({
      before: { use: await unpackedUse(before), calls: callsBefore },
      now: {
        use: await use(accountId),
        calls: figuresOf(since.filter((one) => isSinceMove(one, movedAt) && !isOfPause(one, pauses))),
        unlearned: await unlearned(accountId),
      },
    });
    // Hundreds of accounts are watched at a time, each minute, and every transaction waits for the disk.
    if (isDeepStrictEqual(findings, known)) return;
    const change = await stored.found(accountId, findings, now);
    if (change === 'flagged') log.warn('watch.flagged', { account: accountId, findings: findings.length });
  }
}

/** In the hour of the move, V1 also answered, or the bridge refused the calls of an account that V1 no longer knew. */
const isSinceMove = ({ hour, source }: HourCount, movedAt: number): boolean =>
  hour >= movedAt || source === 'v3' || source === 'v2';

/** The bridge refuses the calls of an account whose connection has ended. */
const isOfPause = ({ hour, source }: HourCount, pauses: readonly Pause[]): boolean =>
  source === 'bridge' && pauses.some(({ from, to }) => hour < to && hour + HOUR > from);

/**
 * With the errors of the calls themselves (`CallRecord.isOfCall`): habitual ones are in both figures, and a number
 * that is missing since the move must be noticed.
 */
const figuresOf = (hours: readonly HourCount[]): CallFigures => ({
  calls: hours.reduce((sum, { calls }) => sum + calls, 0),
  errors: hours.reduce((sum, { errors }) => sum + errors, 0),
});
