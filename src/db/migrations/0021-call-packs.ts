import { index, table, type Trx } from './shape.ts';

/** Packs an account's calls into few rows, instead of one row for each of the last fifty. */
export async function callPacks(trx: Trx): Promise<void> {
  await trx.schema.dropTable('recent_calls').execute();
  await table(trx, 'call_journal', ['id'], {
    id: 'text',
    holder: 'text',
    at: 'bigint',
    counted: 'bigint',
    content: 'text',
  }).execute();
  await table(trx, 'call_packs', ['account_id', 'begun_at'], {
    account_id: 'text',
    begun_at: 'bigint',
    last_at: 'bigint',
    calls: 'bigint',
    content: 'text',
  }).execute();
  await index(trx, 'call_packs', 'last_at', 'account_id', 'calls');
}
