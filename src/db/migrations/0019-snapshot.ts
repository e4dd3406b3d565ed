import { index, table, type Trx } from './shape.ts';

/** What only V1 knows about an account's records, kept before the account moves. */
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
