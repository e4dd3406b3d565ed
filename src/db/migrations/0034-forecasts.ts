import { table, type Trx } from './shape.ts';

/** What the rate limit would have done to the calls of an account, for the status report. */
export async function forecasts(trx: Trx): Promise<void> {
  await table(trx, 'forecasts', ['account_id'], {
    account_id: 'text',
    at: 'bigint',
    content: 'text',
  }).execute();
}
