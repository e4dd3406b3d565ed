import { index, table, widen, type Trx } from './shape.ts';

/**
 * Fallbacks for a refresh token that turns out to be invalid: its predecessor, and pairs that came too late.
 */
export async function refresh(trx: Trx): Promise<void> {
  await widen(trx, 'grants', {
    predecessor_token: 'text?',
    predecessor_since: 'bigint?',
    predecessor_presentations: 'bigint?',
    confirm_at: 'bigint?',
  });
  await index(trx, 'grants', 'confirm_at');
  await table(trx, 'grant_spares', ['id'], {
    id: 'text',
    grant_id: 'text',
    parent_index: 'text',
    access_token: 'text',
    access_expires_at: 'bigint',
    refresh_token: 'text',
    arrived_at: 'bigint',
    expires_at: 'bigint',
  }).execute();
  await index(trx, 'grant_spares', 'grant_id');
  await index(trx, 'grant_spares', 'expires_at');
}
