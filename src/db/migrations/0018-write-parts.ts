import { index, widen, type Trx } from './shape.ts';

/**
 * The steps of a write that takes several calls, the features that identify an unfinished document, and the
 * number assigned to the record that a write creates.
 */
export async function writeParts(trx: Trx): Promise<void> {
  await widen(trx, 'writes', { steps_sealed: 'text?', resembles: 'text?', allotted: 'bigint?' });
  await index(trx, 'writes', 'account_id', 'resembles');
}
