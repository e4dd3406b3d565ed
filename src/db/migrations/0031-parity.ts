import { table, type Trx } from './shape.ts';

/** Comparisons of accounts before their move, and accepted differences. */
export async function parity(trx: Trx): Promise<void> {
  await table(trx, 'parity_runs', ['account_id', 'at'], {
    account_id: 'text',
    at: 'bigint',
    content: 'text',
  }).execute();
  await table(trx, 'parity_acceptances', ['account_id', 'difference'], {
    account_id: 'text',
    difference: 'text',
    signature: 'text',
    name: 'text',
    reason: 'text',
    at: 'bigint',
  }).execute();
}
