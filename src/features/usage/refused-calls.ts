import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import { REFUSED_AT_ONCE, type CallRecord, type CallRepository } from './call-log.ts';

/** How many calls of one account are kept at once, and the interval for one more, in milliseconds. */
const OF_ONE = { burst: REFUSED_AT_ONCE, every: MINUTE };
/** The same for all accounts together: six hundred thousand a week, of the ten million calls that are kept. */
const OF_ALL = { burst: 200, every: SECOND };
/** A caller that knows more account keys than this is limited by `OF_ALL` alone. */
const MOST_ACCOUNTS = 1_000;

interface Share {
  left: number;
  /** When one was last added. */
  at: number;
}

/**
 * Keeps calls whose keys were refused although the account is known, to explain later why a program gets errors.
 *
 * Anybody may send such calls, so only as many are kept as are needed to find the fault: each account has a share,
 * and all accounts have one together. The others are in the log alone. Kept calls wait for the next write like any
 * other, and their hours are counted separately (`RefusedRecently`); they are neither calls nor errors of the
 * account.
 */
export class RefusedCalls {
  readonly #calls: Pick<CallRepository, 'record'>;
  readonly #shares = new Map<string, Share>();
  readonly #all: Share = { left: OF_ALL.burst, at: 0 };

  constructor(calls: Pick<CallRepository, 'record'>) {
    this.#calls = calls;
  }

  /** Does no I/O and never throws. */
  readonly record = (call: CallRecord): void => {
    const { accountId, at } = call;
    let share = this.#shares.get(accountId);
    if (share === undefined) {
      if (this.#shares.size >= MOST_ACCOUNTS) this.#shares.clear();
      this.#shares.set(accountId, (share = { left: OF_ONE.burst, at }));
    }
    if (hasOne(share, OF_ONE, at) && hasOne(this.#all, OF_ALL, at)) {
      share.left -= 1;
      this.#all.left -= 1;
      this.#calls.record(call);
    }
  };
}

/** Adds the calls that have become due since, and returns whether one is left; a clock that was set back adds none. */
function hasOne(share: Share, { burst, every }: typeof OF_ONE, now: number): boolean {
  const due = Math.max(0, Math.floor((now - share.at) / every));
  if (due > 0) share.at = share.left + due >= burst ? now : share.at + due * every;
  share.left = Math.min(burst, share.left + due);
  return share.left > 0;
}
