import type { Engine } from '../../../db/engine.ts';

/** Whether the last account with this account key was erased. */
export async function wasErased(engine: Engine, indexes: readonly string[]): Promise<boolean> {
  const row = await engine.read((reads) =>
    reads.selectFrom('erased_keys').select('key_index').where('key_index', 'in', indexes).executeTakeFirst(),
  );
  return row !== undefined;
}
