import { index, table, type Trx } from './shape.ts';

/** Replies of the service, kept for a while and encrypted. */
export async function samples(trx: Trx): Promise<void> {
  await table(trx, 'samples', ['id'], {
    id: 'text',
    account_id: 'text',
    purpose: 'text',
    method: 'text',
    content_sealed: 'text',
    bytes: 'bigint',
    at: 'bigint',
    expires_at: 'bigint',
  }).execute();
  await index(trx, 'samples', 'account_id', 'purpose', 'at');
  await index(trx, 'samples', 'expires_at');
  await table(trx, 'sample_accounts', ['account_id'], {
    account_id: 'text',
    off: 'bigint',
    forgotten_at: 'bigint?',
  }).execute();
}
