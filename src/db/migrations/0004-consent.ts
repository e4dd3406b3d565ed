import { index, table, unique, type Trx } from './shape.ts';

/** Consents whose tokens are held until the customer has chosen the organisation they are for. */
export async function consent(trx: Trx): Promise<void> {
  await table(trx, 'consent_choices', ['id'], {
    id: 'text',
    invitation_id: 'text',
    account_id: 'text',
    grant_id: 'text',
    key_index: 'text',
    browser_index: 'text',
    organisations: 'text',
    companions: 'text',
    started_at: 'bigint',
    expires_at: 'bigint',
    taken_at: 'bigint?',
  }).execute();
  await unique(trx, 'consent_choices', 'key_index');
  await index(trx, 'consent_choices', 'expires_at');
}
