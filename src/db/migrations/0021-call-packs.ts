import { index, table, type Trx } from './shape.ts';

/** Calls of an account in few rows, instead of the last fifty in a row each. */
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
