import { index, table, type Trx } from './shape.ts';

/** What each attempt to deliver an outgoing event met, and the order in which they are looked at. */
export async function deliveries(trx: Trx): Promise<void> {
  await table(trx, 'delivery_attempts', ['delivery_id', 'position'], {
    delivery_id: 'text',
    position: 'bigint',
    at: 'bigint',
    outcome: 'text',
    note: 'text',
  }).execute();
  await index(trx, 'deliveries', 'created_at', 'id');
}
