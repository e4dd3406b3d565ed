declare module '../../db/tables.ts' {
  interface Tables {
    forecasts: ForecastRow;
  }
}

/** The newest forecast of an account. */
export interface ForecastRow {
  account_id: string;
  /** When it was made. */
  at: number;
  /** A `Forecast` as JSON; empty if the account made no call. */
  content: string;
}
