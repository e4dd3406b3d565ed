import { expands } from '../migrate.ts';
import { index } from './shape.ts';

/** Indexes for the orders in which audit, outgoing events and writes can be listed in pages. */
export const listOrders = expands(async function listOrders(trx) {
  await index(trx, 'audit', 'who', 'seq');
  await index(trx, 'audit', 'action', 'seq');
  for (const column of ['type', 'state', 'attempts']) await index(trx, 'deliveries', column, 'id');
  for (const column of ['created_at', 'method', 'route', 'state']) await index(trx, 'writes', column, 'id');
});
