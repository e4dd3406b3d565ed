import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** The order in which the accounts of a wave are invited, and the reason why an account could not be. */
export const waveOrder = expands(async function waveOrder(trx) {
  await widen(trx, 'wave_accounts', { place: 'bigint?', left_reason: 'text?' });
});
