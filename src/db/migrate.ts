import type { Transaction } from 'kysely';
import type { Engine } from './engine.ts';
import { StoreFault } from './fault.ts';
import type { Tables } from './tables.ts';

/** Changes the schema by one step; version n is the n-th of the list, and a step once released is never edited. */
export type Migration = (trx: Transaction<Tables>) => Promise<void>;

/** All missing steps in one transaction, under a lock: several processes may start at once. */
export async function migrate(engine: Engine, migrations: readonly Migration[]): Promise<void> {
  await engine.db.transaction().execute(async (trx) => {
    await engine.lockMigrations(trx);
    const version = await presentVersion(trx);
    if (version > migrations.length) throw tooNew(version, migrations.length);
    for (const [index, step] of migrations.entries()) {
      if (index < version) continue;
      await step(trx);
      await trx
        .insertInto('schema_version')
        .values({ version: index + 1, applied_at: engine.now })
        .execute();
    }
  });
}

async function presentVersion(trx: Transaction<Tables>): Promise<number> {
  await trx.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('version', 'bigint', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const row = await trx
    .selectFrom('schema_version')
    .select((expression) => expression.fn.max('version').as('version'))
    .executeTakeFirst();
  return row?.version ?? 0;
}

const tooNew = (found: number, known: number): StoreFault =>
  new StoreFault(
    'refused',
    `the database was made by a newer Causeway (schema ${found}, this program knows ${known}): ` +
      'start the newer program, or restore a backup made by this one',
  );
