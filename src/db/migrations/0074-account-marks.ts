import { PostgresAdapter, sql } from 'kysely';
import { expands } from '../migrate.ts';

/**
 * The last transaction that changed anything that an account's cached row is read from (`CACHED_TABLES`), on
 * PostgreSQL; SQLite reports this by itself (`PRAGMA data_version`).
 *
 * The database sets the mark, so that no older program and no operator can change an account unnoticed. It
 * does so at commit: transactions that change different accounts wait for each other no longer than the
 * commit takes, and take no further locks after that. The times of an account's last call and of a key's last
 * use are excluded, because they do not affect later calls.
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
  // Once per transaction, because an import changes thousands of rows.
  `create function mark_accounts() returns trigger language plpgsql as $$ begin
     if not exists (select from account_marks where changed_by = txid_current()) then
       insert into account_marks (id, changed_by) values (1, txid_current())
         on conflict (id) do update set changed_by = excluded.changed_by;
     end if;
     return null; end $$`,
  ...marked('accounts', 'last_call_at'),
  ...marked('account_api_keys', 'seen_at'),
];
