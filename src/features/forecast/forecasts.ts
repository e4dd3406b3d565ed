import { DAY, type Clock } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { CallRecord } from '../usage/call-log.ts';
import type { AccountUse } from '../usage/names/account-use.ts';
import { ExpectedRequests, type RequestsParts } from './expected-requests.ts';
import { forecastOf, type Forecast } from './forecast.ts';
import type { Limit } from './play.ts';
import type { StoredForecasts } from './stored-forecasts.ts';

/** Days of calls that are played: as long as single calls are kept. */
export const FORECAST_DAYS = 7;
/** Of an account with more calls the newest are played: enough for the busiest V3 allows. */
const MOST_CALLS = 100_000;
/** In milliseconds: a forecast of the status report is as old as this at most. */
const LASTS = DAY;
/** Accounts in one run of the job. */
const AT_ONCE = 20;

/** What forecasts are made from. */
export interface ForecastsParts extends Omit<RequestsParts, 'methods'> {
  readonly calls: {
    since(accountId: string, from: number, most: number): Promise<readonly CallRecord[]>;
  };
  /** What its programs use, with the calls that this process has served just now. */
  readonly use: (accountId: string) => Promise<AccountUse>;
  /** Asked for when the first forecast is made. */
  readonly methods: () => RequestsParts['methods'];
  readonly limit: Limit;
  readonly stored: StoredForecasts;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the limit of requests would have done to the calls that accounts really made. */
export class Forecasts {
  readonly #parts: ForecastsParts;

  constructor(parts: ForecastsParts) {
    this.#parts = parts;
  }

  /** Of the last days, as they are now; undefined: it made no call. Replaces what the status report shows. */
  async of(accountId: string, signal?: AbortSignal): Promise<Forecast | undefined> {
    const { calls, use, methods, profile, limit, stored, clock } = this.#parts;
    const now = clock.now();
    const made = await calls.since(accountId, now - FORECAST_DAYS * DAY, MOST_CALLS);
    const expected = new ExpectedRequests({ methods: methods(), profile }, await use(accountId));
    const forecast = await forecastOf(made, expected, limit, signal);
    await stored.store(accountId, now, forecast);
    return forecast;
  }

  /** Of the accounts whose forecast is old, for the status report. Never rejects: the next run goes on. */
  async run(signal: AbortSignal): Promise<void> {
    const { stored, clock, log } = this.#parts;
    try {
      for (const { id } of await stored.due(clock.now() - LASTS, AT_ONCE)) {
        if (signal.aborted) return;
        await this.of(id, signal);
      }
    } catch (error) {
      if (!signal.aborted) log.error('forecast.failed', { error: wordsOf(error) });
    }
  }
}
