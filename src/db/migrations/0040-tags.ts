import { table, widen, type Trx } from './shape.ts';

/** Words to group accounts by, and groups that are saved under a name. */
export async function tags(trx: Trx): Promise<void> {
  await widen(trx, 'account_details', { tags: 'text?' });
  await table(trx, 'account_groups', ['name'], {
    name: 'text',
    query: 'text',
    saved_at: 'bigint',
    saved_by: 'text',
  }).execute();
}
