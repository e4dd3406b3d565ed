import { expands } from '../migrate.ts';
import { table } from './shape.ts';

/** Account keys of erased accounts, as keyed hashes: calls with them are refused. */
export const erasedKeys = expands(async function erasedKeys(trx) {
  await table(trx, 'erased_keys', ['key_index'], { key_index: 'text' }).execute();
});
