import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite, sqliteEngine } from '../../src/db/sqlite/sqlite.ts';
import { nextTurn } from '../../src/lib/time/turn.ts';
import { turnsDuring } from '../support/turns.ts';

/** Somebody has his turn within a hundredth of that, unless the machine is busy with something else. */
const ENOUGH_MS = 10_000;

describe('a statement of many rows', () => {
  const rows = sql<{ readonly n: number }>`
    with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 10000) select n from counted`;

  it('yields to other work after each thousand', async () => {
    const db = openSqlite<Record<string, never>>(':memory:');
    const { value, turns } = await turnsDuring(() => rows.execute(db));
    expect(value.rows.map(({ n }) => n)).toEqual(Array.from({ length: 10_000 }, (_, at) => at + 1));
    expect(turns).toBeGreaterThanOrEqual(10);
    await db.destroy();
  });

  it("does not count the file's lock as held because others have written since it began", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-turns-'));
    const path = join(folder, 'store.db');
    const { db, reach } = sqliteEngine(path);
    try {
      await sql`create table t (n integer)`.execute(db);
      await sql`insert into t ${rows}`.execute(db);
      const reading = sql`select n from t`.execute(db);
      for (let turn = 0; turn < 4; turn += 1) await nextTurn();
      const other = new DatabaseSync(path);
      other.exec('insert into t values (0)');
      other.close();
      await reach.doubt();
      expect(reach.outage).toBeUndefined();
      expect((await reading).rows).toHaveLength(10_000);
    } finally {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a lock that another process holds', () => {
  it('never blocks a connection of an open store inside SQLite, which would stop every call', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-turns-'));
    const { db, reads } = sqliteEngine(join(folder, 'store.db'));
    try {
      for (const connection of [db, reads])
        expect((await sql`pragma busy_timeout`.execute(connection)).rows).toEqual([{ timeout: 0 }]);
    } finally {
      await db.destroy();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('a long sequence of statements', () => {
  it.each(['each for itself', 'in one transaction'])('yields to other work, %s', async (how) => {
    const db = openSqlite<Record<string, never>>(':memory:');
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    const row = async (on: typeof db): Promise<void> => {
      const begun = performance.now();
      while (turns === 0 && performance.now() - begun < ENOUGH_MS) await sql`select 1`.execute(on);
    };
    try {
      await (how === 'in one transaction' ? db.transaction().execute(row) : row(db));
      // Promises alone never let a timer or a socket have its turn.
      expect(turns).toBeGreaterThan(0);
    } finally {
      clearInterval(others);
      await db.destroy();
    }
  });
});
