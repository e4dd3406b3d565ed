import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import { REFUSED_AT_ONCE, type CallRecord, type CallRepository } from './call-log.ts';

/** Calls of one account at once, and how often one more, in milliseconds. */
const OF_ONE = { burst: REFUSED_AT_ONCE, every: MINUTE };
/** The same of all accounts together: six hundred thousand a week, of the ten million calls that are kept. */
const OF_ALL = { burst: 200, every: SECOND };
/** Whoever knows as many account keys is held to `OF_ALL`. */
const MOST_ACCOUNTS = 1_000;

interface Share {
  left: number;
  /** When the last one was added. */
  at: number;
}

/**
 * Keeps calls whose keys were refused although the account is known, for whoever is asked why a program gets errors.
 *
 * Anybody may send such calls, so only as many are kept as are needed to see what is wrong: each account has a share, and
 * all have one together. The others are in the log alone. Kept ones wait for the next write of calls like any other, and
 * their hours are counted apart (`RefusedRecently`); they count neither as calls nor as errors of the account.
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

/** Adds what has become due since; a clock that was set back adds nothing. */
function hasOne(share: Share, { burst, every }: typeof OF_ONE, now: number): boolean {
  const due = Math.max(0, Math.floor((now - share.at) / every));
  if (due > 0) share.at = share.left + due >= burst ? now : share.at + due * every;
  share.left = Math.min(burst, share.left + due);
  return share.left > 0;
}
