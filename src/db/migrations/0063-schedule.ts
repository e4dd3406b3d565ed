import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** When and how a customer can be reached. */
export const schedule = expands(async function schedule(trx) {
  await widen(trx, 'account_details', { zone: 'text?', phone: 'text?' });
});
