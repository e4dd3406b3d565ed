import { table, type Trx } from './shape.ts';

/** Routes that are tried on one account first. */
export async function canaries(trx: Trx): Promise<void> {
  await table(trx, 'route_canaries', ['account_id'], {
    account_id: 'text',
    methods: 'text',
    route: 'text',
    before: 'text',
    calls_before: 'bigint',
    failed_before: 'bigint',
    begun_at: 'bigint',
    until: 'bigint',
    calls: 'bigint',
    failed: 'bigint',
    lost: 'bigint',
    outcome: 'text?',
    reason: 'text?',
  }).execute();
}
