import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** Whether the replies of V1 say to the programs of an account when V1 ends. */
export const notices = expands(async function notices(trx) {
  await widen(trx, 'accounts', { notices: 'bigint?' });
});
