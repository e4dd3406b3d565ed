import { table, type Trx } from './shape.ts';

/** How the rate limit would have affected an account's calls, for the status report. */
export async function forecasts(trx: Trx): Promise<void> {
  await table(trx, 'forecasts', ['account_id'], {
    account_id: 'text',
    at: 'bigint',
    content: 'text',
  }).execute();
}
