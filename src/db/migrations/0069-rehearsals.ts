import { expands } from '../migrate.ts';
import { table } from './shape.ts';

/** The current or last rehearsal of an account, with the last report. */
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
