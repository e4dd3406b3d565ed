import { PostgresAdapter, sql } from 'kysely';
import { expands } from '../migrate.ts';
import type { Trx } from './shape.ts';

/**
 * Counts changes to anything that an account's cached row is read from (`CACHED_TABLES`), on SQLite. `PRAGMA
 * data_version` counts every commit of another process: with two workers, which constantly record their
 * calls, nearly every call would read its account again. Triggers count, so that no older program and no
 * operator can change an account unnoticed.
 */
export const sqliteAccountMarks = expands(async function sqliteAccountMarks(trx) {
  if (trx.getExecutor().adapter instanceof PostgresAdapter) return;
  await sql`create table account_marks (id integer primary key, changes integer not null)`.execute(trx);
  await sql`insert into account_marks (id, changes) values (1, 0)`.execute(trx);
  await marked(trx, 'accounts', 'last_call_at');
  await marked(trx, 'account_api_keys', 'seen_at');
});

/**
 * `often`: a column that does not affect later calls. A step that adds a column must recreate the last
 * trigger.
 */
async function marked(trx: Trx, table: string, often: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(trx);
  const columns = rows.map(({ name }) => name).filter((name) => name !== often);
  for (const change of ['insert', 'delete', `update of ${columns.join(', ')}`])
    await sql
      .raw(
        `create trigger ${table}_${change.slice(0, 6)}_marked after ${change} on ${table}
         begin update account_marks set changes = changes + 1 where id = 1; end`,
      )
      .execute(trx);
}
