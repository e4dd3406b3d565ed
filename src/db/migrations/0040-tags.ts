import { table, widen, type Trx } from './shape.ts';

/** Tags that group accounts, and groups saved under a name. */
export async function tags(trx: Trx): Promise<void> {
  await widen(trx, 'account_details', { tags: 'text?' });
  await table(trx, 'account_groups', ['name'], {
    name: 'text',
    query: 'text',
    saved_at: 'bigint',
    saved_by: 'text',
  }).execute();
}
