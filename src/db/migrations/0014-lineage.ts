import { index, table, widen, type Trx } from './shape.ts';

/** Distinguishes a database that moved as a whole from a copy. */
export async function lineage(trx: Trx): Promise<void> {
  await widen(trx, 'deployment', { seen_epoch: 'bigint?', acknowledged_at: 'bigint?' });
  await table(trx, 'deployment_instances', ['id'], { id: 'text', at: 'bigint', place: 'text?' }).execute();
  await widen(trx, 'grants', { withheld_fence: 'bigint?' });
  await index(trx, 'grants', 'withheld_fence');
}
