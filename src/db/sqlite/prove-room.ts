import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** Rows of some 90 bytes: 64 pages, half a megabyte, as much as is kept beside a database file. */
const ROWS = 5_800;

/**
 * Makes a table of 64 new pages on the disk of the database and takes it back: that a row can be changed proves nothing,
 * since it finds room in the page it has, while a table cannot grow any more. It is unlogged, so that its rows do not go
 * into the log of writes, and `name` is a type that is neither compressed nor stored elsewhere. Where the role may not make
 * tables nothing is tried. Rejects with `StoreFault`.
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
