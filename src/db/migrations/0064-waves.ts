import { expands } from '../migrate.ts';
import { table } from './shape.ts';

/** Waves of invitations, and the accounts in each. */
export const waves = expands(async function waves(trx) {
  await table(trx, 'waves', ['name'], {
    name: 'text',
    position: 'bigint',
    query: 'text',
    most: 'bigint?',
    start: 'text?',
    hold_hours: 'bigint',
    most_errors: 'bigint',
    most_troubled: 'bigint',
    state: 'text',
    since: 'bigint',
    reason: 'text',
  }).execute();
  await table(trx, 'wave_accounts', ['account_id'], {
    account_id: 'text',
    wave: 'text',
    invited_at: 'bigint?',
  }).execute();
});
