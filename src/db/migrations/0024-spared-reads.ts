import { PostgresAdapter, sql } from 'kysely';
import { index, table, type Trx } from './shape.ts';

/**
 * Marks that tell whether an earlier read may still be used, and lists of an account as last read.
 *
 * The database counts the marks, so that no process that shares it, not even of an older version, can write
 * to the ledger without being counted.
 */
export async function sparedReads(trx: Trx): Promise<void> {
  await table(trx, 'write_marks', ['account_id', 'method'], {
    account_id: 'text',
    method: 'text',
    count: 'bigint',
  }).execute();
  await sql`insert into write_marks (account_id, method, count)
    select account_id, method, count(*) from writes group by account_id, method`.execute(trx);
  await index(trx, 'writes', 'account_id', 'state', 'method');
  const isPostgres = trx.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of isPostgres ? ON_POSTGRES : ON_SQLITE) await sql.raw(statement).execute(trx);
  await table(trx, 'replicas', ['id'], {
    id: 'text',
    account_id: 'text',
    version: 'bigint',
    head_sealed: 'text',
    bytes: 'bigint',
    used_at: 'bigint',
  }).execute();
  await index(trx, 'replicas', 'account_id');
  await table(trx, 'replica_pieces', ['id'], {
    id: 'text',
    replica_id: 'text',
    place: 'bigint',
    records_sealed: 'text',
  }).execute();
  await index(trx, 'replica_pieces', 'replica_id', 'place');
}

const COUNT = `insert into write_marks (account_id, method, count) values (new.account_id, new.method, 1)
  on conflict (account_id, method) do update set count = write_marks.count + 1;`;

const ON_SQLITE = [`create trigger writes_marked after insert on writes begin ${COUNT} end`];

const ON_POSTGRES = [
  `create function mark_write() returns trigger language plpgsql as $$ begin ${COUNT} return null; end $$`,
  'create trigger writes_marked after insert on writes for each row execute function mark_write()',
];
