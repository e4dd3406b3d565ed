import { sql, type Transaction } from 'kysely';
import type { Engine } from '../../db/engine.ts';
import { StoreFault } from '../../lib/store-fault.ts';
import type { Tables } from '../../db/tables.ts';

/** Everything except the schema version and the identity of the deployment. */
const erasable = [
  'accounts',
  'account_events',
  'grants',
  'grant_spares',
  'grant_imports',
  'grant_exports',
  'invitations',
  'consent_attempts',
  'consent_choices',
  'awaiting_consents',
  'token_revocations',
  'account_api_keys',
  'crosswalk',
  'crosswalk_kinds',
  'crosswalk_unlearned',
  'account_details',
  'erased_keys',
  'campaign_runs',
  'outbox',
  'status_links',
  'outbox_sending',
  'suppressions',
  'counters',
  'stage_days',
  'call_journal',
  'call_packs',
  'call_hours',
  'console_tokens',
  'console_sessions',
  'audit',
  'route_overrides',
  'deliveries',
  'delivery_attempts',
  'settings',
  'deployment_instances',
  'jobs',
  'writes',
  'write_owners',
  'snapshot',
  'route_canaries',
  'used_names',
  'usage_accounts',
  'usage_programs',
  'write_marks',
  'replicas',
  'replica_pieces',
  'forecasts',
  'samples',
  'sample_accounts',
  'parity_runs',
  'parity_latest',
  'parity_acceptances',
  'rehearsals',
  'watches',
  'waves',
  'wave_accounts',
  'brownouts',
  'brownout_accounts',
  'text_changes',
  'drift_forms',
  'drift_alarms',
] as const satisfies readonly Exclude<keyof Tables, 'schema_version'>[];

/**
 * Empties the database if the setting `name` has the value `mark`. Check and deletion are one transaction, so
 * nothing else is ever erased. An empty database needs no mark. Throws `StoreFault` `refused` if the mark is
 * missing.
 */
export async function erase(engine: Engine, name: string, mark: string): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    const setting = await trx
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    if (setting?.value !== mark) return refuseUnlessEmpty(trx, name, mark);
    for (const table of erasable) await trx.deleteFrom(table).execute();
  });
}

async function refuseUnlessEmpty(trx: Transaction<Tables>, name: string, mark: string): Promise<void> {
  for (const table of erasable) {
    const row = await trx
      .selectFrom(table)
      .select(sql<number>`1`.as('found'))
      .limit(1)
      .executeTakeFirst();
    if (row)
      throw new StoreFault('refused', `the database is not marked ${name}=${mark}: nothing was erased`);
  }
}
