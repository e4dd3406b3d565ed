import { index, table, type Trx } from './shape.ts';

/** Data of an account's records that only V1 has, stored before the account moves. */
export async function snapshot(trx: Trx): Promise<void> {
  await table(trx, 'snapshot', ['id'], {
    id: 'text',
    account_id: 'text',
    kind: 'text',
    fields_sealed: 'text',
    read_at: 'bigint',
  }).execute();
  await index(trx, 'snapshot', 'account_id', 'kind');
}
