import { expands } from '../migrate.ts';
import { index, table, unique } from './shape.ts';

/** Refresh tokens imported by an integrator, and consents exported to another program. */
export const grantMoves = expands(async function grantMoves(trx) {
  await table(trx, 'grant_imports', ['id'], {
    id: 'text',
    account_id: 'text',
    token_index: 'text',
    state: 'text',
    reason: 'text?',
    given: 'text?',
    organisations: 'text',
    who: 'text',
    started_at: 'bigint',
    since: 'bigint',
  }).execute();
  await unique(trx, 'grant_imports', 'token_index');
  await index(trx, 'grant_imports', 'account_id');
  await table(trx, 'grant_exports', ['id'], {
    id: 'text',
    account_id: 'text',
    grant_id: 'text',
    organisation_id: 'text',
    organisation_name: 'text',
    user_id: 'text',
    user_name: 'text?',
    user_email: 'text?',
    scope: 'text',
    generation: 'bigint',
    access_token: 'text',
    access_expires_at: 'bigint',
    refresh_token: 'text',
    exported_at: 'bigint',
    who: 'text',
    recipient: 'text',
  }).execute();
  await unique(trx, 'grant_exports', 'account_id');
});
