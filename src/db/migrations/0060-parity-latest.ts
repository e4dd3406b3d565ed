import { expands } from '../migrate.ts';
import { table } from './shape.ts';

/** The newest comparison of each account in short, and the values of its differences, sealed. */
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
