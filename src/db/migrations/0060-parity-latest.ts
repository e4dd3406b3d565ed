import { expands } from '../migrate.ts';
import { table } from './shape.ts';

/** A summary of each account's newest comparison, and the values of its differences, encrypted. */
export const parityLatest = expands(async function parityLatest(trx) {
  await table(trx, 'parity_latest', ['id'], {
    id: 'text',
    account_id: 'text',
    at: 'bigint',
    summary: 'text',
    trend: 'text',
    examples_sealed: 'text?',
    examples_until: 'bigint?',
  }).execute();
});
