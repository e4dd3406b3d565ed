import { expect, it } from '@jest/globals';
import { sql, type Kysely } from 'kysely';
import { patient } from '../../src/db/postgres/patience.ts';
import { openPostgres } from '../../src/db/postgres/postgres.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import { describeOnBoth } from './engines.ts';
import { sqlOf } from '../support/sql.ts';

type Row = Readonly<Record<string, unknown>>;

describeOnBoth('a commit that was acknowledged', (bench) => {
  const open = (): Kysely<unknown> =>
    bench.engine === 'SQLite'
      ? openSqlite(bench.url().slice('sqlite:'.length))
      : openPostgres(bench.url(), patient).db;

  const settings = async (...names: readonly string[]): Promise<readonly Row[]> => {
    const db = open();
    const command = bench.engine === 'SQLite' ? 'pragma' : 'show';
    const rows: Row[] = [];
    for (const name of names)
      rows.push(...(await sql<Row>`${sql.raw(`${command} ${name}`)}`.execute(db)).rows);
    await db.destroy();
    return rows;
  };

  it('is on disk, whatever the defaults of program or server', async () => {
    if (bench.engine === 'SQLite') {
      // 2 is FULL; the default of WAL in many builds, NORMAL, is 1.
      expect(await settings('journal_mode', 'synchronous')).toEqual([
        { journal_mode: 'wal' },
        { synchronous: 2 },
      ]);
      return;
    }
    const name = new URL(bench.url()).pathname.slice(1);
    await sqlOf(bench.url(), `alter database ${name} set synchronous_commit = off`);
    expect(await settings('synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    await sqlOf(bench.url(), `alter database ${name} set synchronous_commit = remote_apply`);
    expect(await settings('synchronous_commit')).toEqual([{ synchronous_commit: 'remote_apply' }]);
  });
});

describeOnBoth('a transaction that failed', (bench) => {
  it('leaves nothing behind, and its connection is free again', async () => {
    const db: Kysely<{ things: { id: number } }> =
      bench.engine === 'SQLite'
        ? openSqlite(bench.url().slice('sqlite:'.length))
        : openPostgres(bench.url(), patient).db;
    await sqlOf(bench.url(), 'create table things (id bigint primary key)');
    const half = db.transaction().execute(async (trx) => {
      await trx.insertInto('things').values({ id: 1 }).execute();
      await trx.insertInto('things').values({ id: 1 }).execute();
    });
    await expect(half).rejects.toMatchObject({ kind: 'unique' });
    const abandoned = db.transaction().execute(async (trx) => {
      await trx.insertInto('things').values({ id: 2 }).execute();
      throw new Error('thought better of it');
    });
    await expect(abandoned).rejects.toThrow('thought better of it');
    await db.insertInto('things').values({ id: 3 }).execute();
    expect(await db.selectFrom('things').selectAll().execute()).toEqual([{ id: 3 }]);
    await db.destroy();
  });
});
