import { sql } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import type { Forecast } from './forecast.ts';

/** Stores the newest forecast of each account. */
export class StoredForecasts {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async store(accountId: string, at: number, forecast: Forecast | undefined): Promise<void> {
    const content = forecast === undefined ? '' : JSON.stringify(forecast);
    await this.#engine.db
      .insertInto('forecasts')
      .values({ account_id: accountId, at, content })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ at, content }))
      .execute();
  }

  /**
   * Accounts still to move that have called since their last forecast, if that was made before `before`, or after
   * `now` by a clock that was ahead.
   */
  async due(before: number, now: number, most: number): Promise<readonly { readonly id: string }[]> {
    return this.#engine.reads
      .selectFrom('accounts')
      .leftJoin('forecasts', 'forecasts.account_id', 'accounts.id')
      .select('accounts.id')
      .where('accounts.stage', 'in', ['legacy', 'awaiting-operator', 'consented'])
      .where(
        sql<boolean>`accounts.last_call_at is not null and (forecasts.at is null or forecasts.at > ${now}
          or (forecasts.at < ${before} and accounts.last_call_at > forecasts.at))`,
      )
      .orderBy('accounts.id')
      .limit(most)
      .execute();
  }

  /** Deletes forecasts made earlier; rows that only say that none could be made stay, so that none is tried again. */
  async expire(before: number): Promise<void> {
    await this.#engine.db
      .deleteFrom('forecasts')
      .where('at', '<', before)
      .where('content', '!=', '')
      .execute();
  }

  /** Returns whether one existed. */
  async erase(accountId: string): Promise<boolean> {
    const rows = await this.#engine.db
      .deleteFrom('forecasts')
      .where('account_id', '=', accountId)
      .returning('account_id')
      .execute();
    return rows.length > 0;
  }
}
