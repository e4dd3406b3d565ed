import { expands } from '../migrate.ts';
import { table } from './shape.ts';

/** The rehearsal of an account that is under way, or was the last, with the last report. */
export const rehearsals = expands(async function rehearsals(trx) {
  await table(trx, 'rehearsals', ['account_id'], {
    account_id: 'text',
    begun_at: 'bigint',
    who: 'text',
    outcome: 'text',
    words: 'text',
    done: 'bigint',
    total: 'bigint',
    told_at: 'bigint',
    report: 'text?',
  }).execute();
});
