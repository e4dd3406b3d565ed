/**
 * Changes of the schema, and which programs work with the result. A release adds (expands), so that the
 * previous release works with the new schema: while bridges are replaced one after the other, and after a
 * rollback. A later release removes what is no longer used (contracts).
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Engine } from './engine.ts';
import { StoreFault } from '../lib/store-fault.ts';
import type { Tables } from './tables.ts';

/** Changes the schema. */
type Step = (trx: Transaction<Tables>) => Promise<void>;

/**
 * Changes the schema by one step. Version n is the n-th of the list; a released step is never edited.
 * `oldest`: the version that a program must know to work with the result; by default this step's own.
 */
export type Migration = Step & { readonly oldest?: number };

/** A step that adds only what may be empty: every earlier program continues to work. */
export const expands = (step: Step): Migration => named(step, 0);

/**
 * A step that removes what programs use that know only schemas before `oldest`; they are refused from then
 * on. It belongs in a later release than the step that introduced the replacement. No table may keep its
 * number of columns while one of them is renamed or moved: a change of that number tells programs with
 * compiled statements to read the names again (`sqlite-driver.ts`).
 */
export const contracts = (oldest: number, step: Step): Migration => named(step, oldest);

/** Wraps the step under its own name, so that one step may be declared in two ways. */
function named(step: Step, oldest: number): Migration {
  const copy: Step = (trx) => step(trx);
  return Object.defineProperties(copy, { name: { value: step.name }, oldest: { value: oldest } });
}

/**
 * Applies all missing steps in one transaction, under a lock, because several processes may start at once, and returns
 * their number; undefined if another process is applying them. Leaves a newer schema as it is if this program works
 * with it, and throws `StoreFault` if not.
 */
export async function migrate(engine: Engine, migrations: readonly Migration[]): Promise<number | undefined> {
  return engine.migrating(async (trx) => {
    const version = await presentVersion(trx);
    await refuseNewer(trx, version, migrations.length);
    for (const [index, step] of migrations.entries()) {
      if (index < version) continue;
      await step(trx);
      await trx
        .insertInto('schema_version')
        .values({
          version: index + 1,
          applied_at: engine.now,
          // The column was added after the first steps.
          ...(step.oldest !== undefined && { oldest: step.oldest }),
        })
        .execute();
    }
    return migrations.length - version;
  });
}

/** The version of a database, 0 if it is empty, and the names of the missing steps. */
export interface MissingSteps {
  readonly version: number;
  readonly steps: readonly string[];
}

/** Only reads. Throws `StoreFault` if the database is newer and this program does not work with it. */
export async function missingSteps(
  { reads }: Pick<Engine, 'reads'>,
  migrations: readonly Migration[],
): Promise<MissingSteps> {
  const tables = await reads.introspection.getTables();
  const version = tables.some(({ name }) => name === 'schema_version') ? await newestOf(reads) : 0;
  await refuseNewer(reads, version, migrations.length);
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

/**
 * SQL for the oldest schema that a program must know to work with a database made by a newer one. `known`:
 * the version that this program knows.
 */
export const oldestFor = (known: number): string =>
  `select max(coalesce(oldest, version)) as oldest from schema_version where version > ${known}`;

async function refuseNewer(db: Kysely<Tables>, found: number, known: number): Promise<void> {
  if (found <= known) return;
  const { rows } = await sql.raw<{ readonly oldest: number }>(oldestFor(known)).execute(db);
  if ((rows[0]?.oldest ?? found) > known) throw tooNew(found, known);
}

const tooNew = (found: number, known: number): StoreFault =>
  new StoreFault(
    'refused',
    `the database was made by a newer Causeway (schema ${found}, this program knows ${known}): start the newer program`,
  );
