import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** Rows of about 90 bytes: 64 pages or half a megabyte, like the reserve beside a database file. */
const ROWS = 5_800;

/**
 * Creates a table of 64 new pages on the database's disk and rolls it back. Changing a row would prove
 * nothing, because it fits into its existing page even if a table cannot grow. The table is unlogged, so that
 * its rows do not go into the write-ahead log, and `name` is a type that is neither compressed nor stored
 * elsewhere. Does nothing if the role may not create tables. Rejects with `StoreFault`.
 */
export async function proveRoom<Tables>(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ readonly may: boolean }>`
    select has_schema_privilege(current_schema(), 'create') as may`.execute(db);
  if (rows[0]?.may !== true) return;
  const trx = await db.startTransaction().execute();
  try {
    await sql`create unlogged table ${sql.id(`room_${randomUUID()}`)} as
      select cast(cast(n as text) as name) as filler from generate_series(1, ${sql.lit(ROWS)}) as n`.execute(
      trx,
    );
  } finally {
    await trx.rollback().execute();
  }
}
