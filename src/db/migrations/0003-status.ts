import { index, table, unique, widen, type Trx } from './shape.ts';

/** Feed and history, calls, tokens, audit, overrides of routes, deliveries. */
export async function status(trx: Trx): Promise<void> {
  await table(trx, 'counters', ['name'], { name: 'text', value: 'bigint' }).execute();
  await feed(trx);
  await calls(trx);
  await console(trx);
  await table(trx, 'route_overrides', ['method', 'account_id'], {
    method: 'text',
    account_id: 'text',
    route: 'text',
    at: 'bigint',
    actor: 'text',
  }).execute();
  await table(trx, 'deliveries', ['id'], {
    id: 'text',
    type: 'text',
    account_id: 'text',
    payload: 'text',
    created_at: 'bigint',
    attempts: 'bigint',
    state: 'text',
    next_at: 'bigint',
    note: 'text',
  }).execute();
  await index(trx, 'deliveries', 'state', 'next_at');
}

async function feed(trx: Trx): Promise<void> {
  await widen(trx, 'account_events', { seq: 'bigint?', from_stage: 'text?', to_stage: 'text?' });
  await unique(trx, 'account_events', 'seq');
  await index(trx, 'account_events', 'to_stage', 'at', 'from_stage');
  await index(trx, 'account_events', 'kind');
  await table(trx, 'stage_days', ['day'], {
    day: 'bigint',
    legacy: 'bigint',
    consented: 'bigint',
    migrated: 'bigint',
    lost: 'bigint',
    closed: 'bigint',
  }).execute();
}

async function calls(trx: Trx): Promise<void> {
  await table(trx, 'recent_calls', ['account_id', 'request_id'], {
    account_id: 'text',
    request_id: 'text',
    at: 'bigint',
    verb: 'text',
    method: 'text',
    source: 'text',
    status: 'bigint',
    failed: 'bigint',
    micros: 'bigint',
    upstream_micros: 'bigint?',
  }).execute();
  await index(trx, 'recent_calls', 'account_id', 'at');
  await table(trx, 'call_hours', ['hour', 'account_id', 'source'], {
    hour: 'bigint',
    account_id: 'text',
    source: 'text',
    calls: 'bigint',
    errors: 'bigint',
  }).execute();
  await index(trx, 'call_hours', 'account_id', 'hour');
}

async function console(trx: Trx): Promise<void> {
  await table(trx, 'console_tokens', ['id'], {
    id: 'text',
    name: 'text',
    scope: 'text',
    token_index: 'text',
    created_at: 'bigint',
    last_used_at: 'bigint?',
    revoked_at: 'bigint?',
  }).execute();
  await unique(trx, 'console_tokens', 'name');
  await unique(trx, 'console_tokens', 'token_index');
  await table(trx, 'console_sessions', ['session_index'], {
    session_index: 'text',
    token_id: 'text',
    csrf: 'text',
    created_at: 'bigint',
    seen_at: 'bigint',
  }).execute();
  await index(trx, 'console_sessions', 'seen_at');
  await table(trx, 'audit', ['seq'], {
    seq: 'bigint',
    at: 'bigint',
    who: 'text',
    action: 'text',
    account_ids: 'text',
    detail: 'text',
  }).execute();
}
