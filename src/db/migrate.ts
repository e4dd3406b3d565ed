import type { Kysely, Transaction } from 'kysely';
import type { Engine } from './engine.ts';
import { StoreFault } from './fault.ts';
import type { Tables } from './tables.ts';

/** Changes the schema by one step. Version n is the n-th of the list; a released step is never edited. */
export type Migration = (trx: Transaction<Tables>) => Promise<void>;

/**
 * Applies all missing steps in one transaction, under a lock, because several processes may start at once.
 */
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

/** The version of a database, 0 if it is empty, and the names of the missing steps. */
export interface MissingSteps {
  readonly version: number;
  readonly steps: readonly string[];
}

/** Only reads. Throws `StoreFault` if the database is newer than this program. */
export async function missingSteps(
  { reads }: Pick<Engine, 'reads'>,
  migrations: readonly Migration[],
): Promise<MissingSteps> {
  const tables = await reads.introspection.getTables();
  const version = tables.some(({ name }) => name === 'schema_version') ? await newestOf(reads) : 0;
  if (version > migrations.length) throw tooNew(version, migrations.length);
  return { version, steps: migrations.slice(version).map(({ name }) => name) };
}

async function presentVersion(trx: Transaction<Tables>): Promise<number> {
  await trx.schema
    .createTable('schema_version')
    .ifNotExists()
    .addColumn('version', 'bigint', (column) => column.primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  return newestOf(trx);
}

async function newestOf(db: Kysely<Tables>): Promise<number> {
  const row = await db
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
