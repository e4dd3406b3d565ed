import { PostgresAdapter, sql } from 'kysely';
import { expands } from '../migrate.ts';

/**
 * The last transaction that has changed anything an account's row is cached from (`CACHED_TABLES`), on PostgreSQL; SQLite
 * tells that by itself (`PRAGMA data_version`).
 *
 * The database marks it, so that no program of an older version and no operator can change an account unseen. It does so
 * when the transaction commits: transactions that change different accounts wait for each other no longer than that
 * takes, and hold no other lock for which they could wait afterwards. When an account called last, and when a key was seen
 * last, concerns no later call.
 */
export const accountMarks = expands(async function accountMarks(trx) {
  if (!(trx.getExecutor().adapter instanceof PostgresAdapter)) return;
  for (const statement of STATEMENTS) await sql.raw(statement).execute(trx);
});

const marked = (table: string, often: string): readonly string[] => [
  `create constraint trigger ${table}_marked after insert or delete on ${table}
     deferrable initially deferred for each row execute function mark_accounts()`,
  `create constraint trigger ${table}_change_marked after update on ${table}
     deferrable initially deferred for each row
     when (to_jsonb(old) - '${often}' is distinct from to_jsonb(new) - '${often}')
     execute function mark_accounts()`,
];

const STATEMENTS = [
  'create table account_marks (id bigint primary key, changed_by bigint not null)',
  // Once for each transaction: an import changes thousands of rows.
  `create function mark_accounts() returns trigger language plpgsql as $$ begin
     if not exists (select from account_marks where changed_by = txid_current()) then
       insert into account_marks (id, changed_by) values (1, txid_current())
         on conflict (id) do update set changed_by = excluded.changed_by;
     end if;
     return null; end $$`,
  ...marked('accounts', 'last_call_at'),
  ...marked('account_api_keys', 'seen_at'),
];
