import { widen, type Trx } from './shape.ts';

/** Which programs work with a schema newer than their own; each later step records it. */
export async function oldestProgram(trx: Trx): Promise<void> {
  await widen(trx, 'schema_version', { oldest: 'bigint?' });
}
