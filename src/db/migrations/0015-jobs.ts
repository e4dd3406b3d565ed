import { table, type Trx } from './shape.ts';

/** Periodic jobs that one instance runs for all. */
export async function jobs(trx: Trx): Promise<void> {
  await table(trx, 'jobs', ['name'], {
    name: 'text',
    holder: 'text?',
    fence: 'bigint',
    lease_until: 'bigint',
    due_at: 'bigint',
  }).execute();
}
