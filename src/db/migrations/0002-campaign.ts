import { index, table, type Trx } from './shape.ts';

/** Recipients of messages, the messages, and the addresses that get no more of them. */
export async function campaign(trx: Trx): Promise<void> {
  await table(trx, 'account_details', ['account_id'], {
    account_id: 'text',
    contact_name: 'text?',
    email: 'text?',
    email_key: 'text?',
    language: 'text?',
    organisation_id: 'text?',
    organisation_name: 'text?',
    notes: 'text?',
  }).execute();
  await index(trx, 'account_details', 'email_key');
  await runs(trx);
  await outbox(trx);
}

async function runs(trx: Trx): Promise<void> {
  await table(trx, 'campaign_runs', ['account_id'], {
    account_id: 'text',
    cause: 'text',
    began_at: 'bigint',
    reminders: 'bigint',
    state: 'text',
    next_at: 'bigint?',
    stop_reason: 'text?',
    stopped_at: 'bigint?',
  }).execute();
  await index(trx, 'campaign_runs', 'state', 'next_at');
  await table(trx, 'suppressions', ['address'], {
    address: 'text',
    reason: 'text',
    detail: 'text',
    at: 'bigint',
  }).execute();
}

async function outbox(trx: Trx): Promise<void> {
  await table(trx, 'outbox', ['id'], {
    id: 'text',
    account_id: 'text',
    invitation_id: 'text',
    kind: 'text',
    to_address: 'text',
    to_key: 'text',
    message_id: 'text',
    reminder: 'bigint?',
    link_sealed: 'text?',
    state: 'text',
    queued_at: 'bigint',
    next_at: 'bigint',
    attempts: 'bigint',
    claimed_at: 'bigint?',
    lease_until: 'bigint?',
    settled_at: 'bigint?',
    reason: 'text?',
  }).execute();
  await index(trx, 'outbox', 'state', 'next_at');
  await index(trx, 'outbox', 'account_id');
  await index(trx, 'outbox', 'to_key', 'claimed_at');
  await index(trx, 'outbox', 'claimed_at');
  await table(trx, 'outbox_sending', ['name'], {
    name: 'text',
    errors: 'bigint',
    paused_until: 'bigint?',
  }).execute();
}
