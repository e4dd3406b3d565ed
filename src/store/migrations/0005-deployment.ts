import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { table, type Trx } from './shape.ts';

/** One row: which deployment this database belongs to. Made here, so that there never is a database without one. */
export async function deployment(trx: Trx): Promise<void> {
  await table(trx, 'deployment', ['name'], {
    name: 'text',
    id: 'text',
    epoch: 'bigint',
    place: 'text?',
    marked_at: 'bigint?',
    doubt: 'text?',
    doubted_at: 'bigint?',
  }).execute();
  await sql`insert into deployment (name, id, epoch) values ('this', ${randomUUID()}, ${Date.now()})`.execute(
    trx,
  );
}
