import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** Accounts whose calls are recorded for a while. */
export const recordings = expands(async function recordings(trx) {
  await widen(trx, 'sample_accounts', { record_since: 'bigint?', record_until: 'bigint?' });
});
