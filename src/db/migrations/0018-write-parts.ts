import { index, widen, type Trx } from './shape.ts';

/**
 * The steps of a write that takes several calls, what an unfinished document can be recognised by, and the
 * number assigned to the record a write creates.
 */
export async function writeParts(trx: Trx): Promise<void> {
  await widen(trx, 'writes', { steps_sealed: 'text?', resembles: 'text?', allotted: 'bigint?' });
  await index(trx, 'writes', 'account_id', 'resembles');
}
