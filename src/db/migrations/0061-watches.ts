import { expands } from '../migrate.ts';
import { table } from './shape.ts';

/** Accounts watched after their move: what their programs used before it, and what has differed since. */
export const watches = expands(async function watches(trx) {
  await table(trx, 'watches', ['account_id'], {
    account_id: 'text',
    moved_at: 'bigint',
    until: 'bigint',
    before: 'text',
    calls_before: 'bigint',
    errors_before: 'bigint',
    findings: 'text',
    flagged_at: 'bigint?',
    dismissed: 'text?',
  }).execute();
});
