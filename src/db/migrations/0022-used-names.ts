import { table, type Trx } from './shape.ts';

/** Which methods, parameters and elements the programs of an account use. */
export async function usedNames(trx: Trx): Promise<void> {
  await table(trx, 'used_names', ['account_id', 'week'], {
    account_id: 'text',
    week: 'bigint',
    content: 'text',
  }).execute();
  await table(trx, 'usage_accounts', ['account_id'], {
    account_id: 'text',
    off: 'bigint',
    forgotten_at: 'bigint?',
    version: 'bigint',
    judged_version: 'bigint?',
    judged_at: 'bigint?',
    judged_by: 'text?',
    readiness: 'text?',
  }).execute();
  await table(trx, 'usage_programs', ['account_id', 'program'], {
    account_id: 'text',
    program: 'text',
    name: 'text',
    at: 'bigint',
    actor: 'text',
  }).execute();
}
