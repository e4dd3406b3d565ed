import { index, table, type Trx } from './shape.ts';

/** The outcome of each attempt to deliver an outgoing event, and the order in which they are listed. */
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
