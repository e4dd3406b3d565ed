import { widen, type Trx } from './shape.ts';

/** Which programs work on a schema newer than their own: written by each later step. */
export async function oldestProgram(trx: Trx): Promise<void> {
  await widen(trx, 'schema_version', { oldest: 'bigint?' });
}
