import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** In which order the accounts of a wave are invited, and why one could not be. */
export const waveOrder = expands(async function waveOrder(trx) {
  await widen(trx, 'wave_accounts', { place: 'bigint?', left_reason: 'text?' });
});
