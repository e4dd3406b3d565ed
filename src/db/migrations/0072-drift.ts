import { expands } from '../migrate.ts';
import { index, table } from './shape.ts';

/**
 * The shape of the service's answers as each account sees it, and alarms when several accounts see a change.
 */
export const drift = expands(async function drift(trx) {
  await table(trx, 'drift_forms', ['account_id', 'upstream', 'method', 'operation'], {
    account_id: 'text',
    upstream: 'text',
    method: 'text',
    operation: 'text',
    content: 'text',
    departures: 'text?',
    answers: 'bigint',
    last_at: 'bigint',
  }).execute();
  await index(trx, 'drift_forms', 'upstream', 'method');
  await table(trx, 'drift_alarms', ['id'], {
    id: 'text',
    content: 'text',
    state: 'text',
    since: 'bigint',
    raised_at: 'bigint',
    changed_at: 'bigint',
    by: 'text?',
    reason: 'text?',
  }).execute();
});
