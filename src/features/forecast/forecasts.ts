import { DAY, type Clock } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { isAway, StoreFault } from '../../lib/store-fault.ts';
import type { CallRecord } from '../usage/call-log.ts';
import type { AccountUse } from '../usage/names/account-use.ts';
import { ExpectedRequests, type RequestsParts } from './expected-requests.ts';
import { forecastOf, type Forecast } from './forecast.ts';
import type { Limit } from './play.ts';
import type { StoredForecasts } from './stored-forecasts.ts';

/** Days of calls that are replayed: as long as single calls are kept. */
export const FORECAST_DAYS = 7;
/** For an account with more calls, only the newest are replayed: enough for the busiest that V3 allows. */
const MOST_CALLS = 100_000;
/** In milliseconds: the greatest age of a forecast in the status report. */
const LASTS = DAY;
/** Accounts in one run of the job. */
const AT_ONCE = 20;

/** The sources of forecasts. */
export interface ForecastsParts extends Omit<RequestsParts, 'methods'> {
  readonly calls: {
    since(accountId: string, from: number, most: number): Promise<readonly CallRecord[]>;
  };
  /** The use of its programs, including the calls that this process has just served. */
  readonly use: (accountId: string) => Promise<AccountUse>;
  /** Called for the first forecast. */
  readonly methods: () => RequestsParts['methods'];
  readonly limit: Limit;
  readonly stored: StoredForecasts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Works out what the limit of requests would have done to the calls that accounts really made. */
export class Forecasts {
  readonly #parts: ForecastsParts;

  constructor(parts: ForecastsParts) {
    this.#parts = parts;
  }

  /**
   * The forecast from the last days' calls, as of now; undefined if there were none. Replaces the one in the status
   * report.
   */
  async of(accountId: string, signal?: AbortSignal): Promise<Forecast | undefined> {
    const { calls, use, methods, profile, limit, stored, clock } = this.#parts;
    const now = clock.now();
    const made = await calls.since(accountId, now - FORECAST_DAYS * DAY, MOST_CALLS);
    const expected = new ExpectedRequests({ methods: methods(), profile }, await use(accountId));
    const forecast = await forecastOf(made, expected, limit, signal);
    await stored.store(accountId, now, forecast);
    return forecast;
  }

  /** Renews outdated forecasts for the status report. Never rejects: the next run continues. */
  async run(signal: AbortSignal): Promise<void> {
    const { stored, clock, log } = this.#parts;
    try {
      const now = clock.now();
      for (const { id } of await stored.due(now - LASTS, now, AT_ONCE)) {
        if (signal.aborted) return;
        await this.#renew(id, signal);
      }
    } catch (error) {
      if (!signal.aborted) log.error('forecast.failed', { error: wordsOf(error) });
    }
  }

  async #renew(accountId: string, signal: AbortSignal): Promise<void> {
    const { stored, clock, log } = this.#parts;
    try {
      await this.of(accountId, signal);
    } catch (error) {
      if (signal.aborted || isAway(error)) throw error;
      log.error('forecast.failed', { account: accountId, error: wordsOf(error) });
      // A damaged row concerns its account only, which must not come first in each run.
      if (!(error instanceof StoreFault)) await stored.store(accountId, clock.now(), undefined);
    }
  }
}
