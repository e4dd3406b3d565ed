import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openEngine } from '../../src/app/migration.ts';
import { contracts, expands, migrate, missingSteps, type Migration } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { table, type Trx } from '../../src/db/migrations/shape.ts';
import { sqlOf } from '../support/sql.ts';
import { describeOnBoth } from './engines.ts';

async function added(trx: Trx): Promise<void> {
  await table(trx, 'added_here', ['name'], { name: 'text' }).execute();
}

async function removed(trx: Trx): Promise<void> {
  await trx.schema.dropTable('added_here').execute();
}

const known = migrations.length;
const wider = [...migrations, expands(added)];
const narrower = [...wider, contracts(known + 1, removed)];

describeOnBoth('a database that a newer release has changed', (bench) => {
  const migrateTo = async (steps: readonly Migration[]): Promise<void> => {
    const engine = await openEngine(bench.url());
    try {
      await migrate(engine, steps);
    } finally {
      await engine.db.destroy();
    }
  };
  const missing = async (steps: readonly Migration[]): Promise<unknown> => {
    const engine = await openEngine(bench.url());
    try {
      return await missingSteps(engine, steps);
    } finally {
      await engine.db.destroy();
    }
  };

  it('works with this release as long as the newer steps only added something', async () => {
    await migrateTo(wider);
    await migrateTo(migrations);
    expect(await missing(migrations)).toEqual({ version: known + 1, steps: [] });
  });

  it('refuses this release once something it may use is gone, but not a release in between', async () => {
    await migrateTo(narrower);
    await expect(migrateTo(migrations)).rejects.toThrow(
      `made by a newer Causeway (schema ${known + 2}, this program knows ${known})`,
    );
    await expect(missing(migrations)).rejects.toThrow('newer Causeway');
    await migrateTo(wider);
    expect(await missing(wider)).toEqual({ version: known + 2, steps: [] });
  });

  it('is read correctly by statements from before a column was added', async () => {
    const engine = await openEngine(bench.url());
    try {
      const read = sql`select *, 'last' as named from widened`;
      await sqlOf(bench.url(), `create table widened (one text); insert into widened values ('1')`);
      expect((await read.execute(engine.db)).rows).toEqual([{ one: '1', named: 'last' }]);
      await sqlOf(bench.url(), `alter table widened add column two text default '2'`);
      expect((await read.execute(engine.db)).rows).toEqual([{ one: '1', two: '2', named: 'last' }]);
    } finally {
      await engine.db.destroy();
    }
  });

  it('refuses this release if a step does not say which releases work with its result', async () => {
    await sqlOf(bench.url(), `insert into schema_version (version, applied_at) values (${known + 3}, 0)`);
    await expect(missing(narrower)).rejects.toThrow('newer Causeway');
  });
});
