import { sql } from 'kysely';
import { index, table, unique, widen, type Trx } from './shape.ts';

/**
 * Consents that wait for the operator, tokens to be revoked, and the API keys with which V1 has accepted an
 * account.
 */
export async function consentProof(trx: Trx): Promise<void> {
  await table(trx, 'awaiting_consents', ['account_id'], {
    account_id: 'text',
    grant_id: 'text',
    findings: 'text',
    since: 'bigint',
  }).execute();
  await table(trx, 'token_revocations', ['grant_id'], {
    grant_id: 'text',
    account_id: 'text',
    since: 'bigint',
    attempts: 'bigint',
    next_at: 'bigint',
  }).execute();
  await index(trx, 'token_revocations', 'next_at');
  await organisations(trx);
  await widen(trx, 'stage_days', { 'awaiting-operator': 'bigint?' });
  await sql`update stage_days set "awaiting-operator" = 0`.execute(trx);
  await table(trx, 'account_api_keys', ['id'], {
    id: 'text',
    account_id: 'text',
    key_index: 'text',
    key_sealed: 'text',
    seen_at: 'bigint',
  }).execute();
  await unique(trx, 'account_api_keys', 'account_id', 'key_index');
  await trx.schema.alterTable('accounts').dropColumn('observed_api_key_sealed').execute();
}

/** A proposal that waits for the operator does not block the organisation; only a connection does. */
async function organisations(trx: Trx): Promise<void> {
  await trx.schema.dropIndex('accounts_organisation_id').execute();
  await trx.schema
    .createIndex('accounts_organisation_id')
    .unique()
    .on('accounts')
    .column('organisation_id')
    .where(sql.ref('stage'), '!=', sql.lit('awaiting-operator'))
    .execute();
}
