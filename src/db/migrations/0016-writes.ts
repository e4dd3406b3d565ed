import { index, table, unique, type Trx } from './shape.ts';

/** The ledger of writes, and the processes with writes in progress. */
export async function writes(trx: Trx): Promise<void> {
  await table(trx, 'writes', ['id'], {
    id: 'text',
    account_id: 'text',
    method: 'text',
    route: 'text',
    fingerprint: 'text',
    idempotency: 'text?',
    length: 'bigint',
    owner: 'text',
    state: 'text',
    settlement: 'text?',
    caller: 'text',
    made: 'text?',
    claim: 'text?',
    known_to: 'bigint?',
    facts_sealed: 'text',
    answer_sealed: 'text?',
    repeats: 'text?',
    created_at: 'bigint',
    untold_at: 'bigint?',
    unknown_at: 'bigint?',
    next_at: 'bigint?',
    attempts: 'bigint',
    settled_at: 'bigint?',
    settled_by: 'text?',
    note: 'text',
  }).execute();
  await unique(trx, 'writes', 'account_id', 'idempotency');
  await unique(trx, 'writes', 'account_id', 'claim');
  await unique(trx, 'writes', 'repeats');
  await index(trx, 'writes', 'account_id', 'fingerprint');
  await index(trx, 'writes', 'state', 'next_at');
  await index(trx, 'writes', 'caller');
  await index(trx, 'writes', 'created_at');
  await table(trx, 'write_owners', ['id'], { id: 'text', beats: 'bigint' }).execute();
}
