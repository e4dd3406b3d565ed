import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** Whether V1's replies tell an account's programs when V1 ends. */
export const notices = expands(async function notices(trx) {
  await widen(trx, 'accounts', { notices: 'bigint?' });
});
