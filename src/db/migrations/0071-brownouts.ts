import { expands } from '../migrate.ts';
import { table, widen } from './shape.ts';

/** Announced periods in which the bridge refuses the reads of accounts that still use V1. */
export const brownouts = expands(async function brownouts(trx) {
  await widen(trx, 'accounts', { brownout_from: 'bigint?', brownout_to: 'bigint?' });
  await table(trx, 'brownouts', ['id'], {
    id: 'text',
    query: 'text',
    from_at: 'bigint',
    to_at: 'bigint',
    planned_at: 'bigint',
    who: 'text',
    stopped_at: 'bigint?',
    stopped_by: 'text?',
  }).execute();
  await table(trx, 'brownout_accounts', ['brownout_id', 'account_id'], {
    brownout_id: 'text',
    account_id: 'text',
    refused: 'bigint',
  }).execute();
});
