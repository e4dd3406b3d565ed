import { sql, type Kysely } from 'kysely';
import type { IdentityTables } from '../identity/tables.ts';

/** Empties every table in the database except the sandbox's own settings. */
export async function emptyTables(db: Kysely<IdentityTables>): Promise<void> {
  const tables = await sql<{ name: string }>`
    SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite_%' AND name <> 'sandbox_state'`.execute(
    db,
  );
  await db.transaction().execute(async (tx) => {
    // References between the tables are checked at the end, so their order does not matter.
    await sql`PRAGMA defer_foreign_keys = ON`.execute(tx);
    for (const { name } of tables.rows) await sql`DELETE FROM ${sql.table(name)}`.execute(tx);
  });
}
