import { index, widen, type Trx } from './shape.ts';

/** The steps of a write that takes several calls, and what an unfinished document can be recognised by. */
export async function writeParts(trx: Trx): Promise<void> {
  await widen(trx, 'writes', { steps_sealed: 'text?', resembles: 'text?' });
  await index(trx, 'writes', 'account_id', 'resembles');
}
