import { index, table, unique, type Trx } from './shape.ts';

/**
 * The first schema: accounts with their timeline, grants, invitations, consent attempts and the crosswalk.
 * Tokens and keys are stored sealed; lookups use separate indexes derived from the key (`…_index`).
 */
export async function repositories(trx: Trx): Promise<void> {
  await accounts(trx);
  await grants(trx);
  await invitations(trx);
  await crosswalk(trx);
  await table(trx, 'settings', ['name'], { name: 'text', value: 'text' }).execute();
}

async function accounts(trx: Trx): Promise<void> {
  await table(trx, 'accounts', ['id'], {
    id: 'text',
    name: 'text',
    product: 'text',
    origin: 'text',
    created_at: 'bigint',
    stage: 'text',
    stage_since: 'bigint',
    last_call_at: 'bigint?',
    account_key_index: 'text',
    account_key_sealed: 'text',
    api_key_index: 'text?',
    api_key_sealed: 'text?',
    observed_api_key_sealed: 'text?',
    grant_id: 'text?',
    organisation_id: 'text?',
    organisation_name: 'text?',
    lost_reason: 'text?',
  }).execute();
  await unique(trx, 'accounts', 'account_key_index');
  await unique(trx, 'accounts', 'organisation_id');
  await index(trx, 'accounts', 'grant_id');
  await index(trx, 'accounts', 'name');
  await table(trx, 'account_events', ['account_id', 'position'], {
    account_id: 'text',
    position: 'bigint',
    at: 'bigint',
    kind: 'text',
    actor: 'text',
    detail: 'text',
  }).execute();
}

async function grants(trx: Trx): Promise<void> {
  await table(trx, 'grants', ['id'], {
    id: 'text',
    user_id: 'text',
    user_name: 'text?',
    user_email: 'text?',
    scope: 'text',
    created_at: 'bigint',
    renewed_at: 'bigint',
    state: 'text',
    generation: 'bigint',
    access_token: 'text?',
    access_expires_at: 'bigint?',
    refresh_token: 'text?',
    since: 'bigint?',
    presentations: 'bigint',
    next_at: 'bigint?',
    lost_reason: 'text?',
    lost_at: 'bigint?',
    fence: 'bigint',
    lease_holder: 'text?',
    lease_until: 'bigint?',
  }).execute();
  await index(trx, 'grants', 'state', 'next_at');
}

async function invitations(trx: Trx): Promise<void> {
  await table(trx, 'invitations', ['id'], {
    id: 'text',
    account_id: 'text',
    link_index: 'text',
    state: 'text',
    state_since: 'bigint',
    issued_at: 'bigint',
    expires_at: 'bigint',
  }).execute();
  await unique(trx, 'invitations', 'link_index');
  await index(trx, 'invitations', 'account_id');
  await table(trx, 'consent_attempts', ['id'], {
    id: 'text',
    invitation_id: 'text',
    account_id: 'text',
    state_index: 'text',
    browser_index: 'text',
    verifier_sealed: 'text?',
    started_at: 'bigint',
    expires_at: 'bigint',
  }).execute();
  await unique(trx, 'consent_attempts', 'state_index');
  await index(trx, 'consent_attempts', 'expires_at');
}

async function crosswalk(trx: Trx): Promise<void> {
  await table(trx, 'crosswalk', ['account_id', 'kind', 'number'], {
    account_id: 'text',
    kind: 'text',
    number: 'bigint',
    uuid: 'text',
    origin: 'text',
  }).execute();
  await unique(trx, 'crosswalk', 'account_id', 'kind', 'uuid');
  await table(trx, 'crosswalk_kinds', ['account_id', 'kind'], {
    account_id: 'text',
    kind: 'text',
    complete: 'bigint',
    allotted_to: 'bigint',
  }).execute();
  await table(trx, 'crosswalk_unlearned', ['account_id', 'kind', 'uuid'], {
    account_id: 'text',
    kind: 'text',
    uuid: 'text',
    first_seen: 'bigint',
  }).execute();
}
