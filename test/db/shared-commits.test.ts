import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../src/db/engine.ts';
import type { Work } from '../../src/db/shared-commits.ts';
import { sqliteEngine } from '../../src/db/sqlite/sqlite.ts';

describe('short transactions on a database file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-commits-'));
  let engine: Engine;

  beforeAll(async () => {
    engine = sqliteEngine(join(folder, 'store.db'));
    await sql`create table t (n integer primary key)`.execute(engine.db);
  });

  afterAll(async () => {
    await engine.db.destroy();
    rmSync(folder, { recursive: true });
  });

  const add =
    (n: number): Work<number> =>
    async (trx) => {
      await sql`insert into t values (${n})`.execute(trx);
      return n;
    };

  /** As another connection sees them. */
  const stored = async (): Promise<readonly number[]> => {
    const { rows } = await sql<{ readonly n: number }>`select n from t order by n`.execute(engine.reads);
    await sql`delete from t`.execute(engine.db);
    return rows.map(({ n }) => n);
  };

  it('share a commit if they start in the same turn, and report no result before it', async () => {
    const told: number[] = [];
    const seen: number[][] = [];
    const look: Work<void> = async (trx) => {
      const { rows } = await sql<{ readonly n: number }>`select n from t order by n`.execute(trx);
      seen.push(
        rows.map(({ n }) => n),
        [...told],
      );
    };
    const first = engine.commits.run(add(1)).then((n) => told.push(n));
    await Promise.all([first, engine.commits.run(add(2)), engine.commits.run(look)]);
    expect(seen).toEqual([[1, 2], []]);
    expect(told).toEqual([1]);
    expect(await stored()).toEqual([1, 2]);
  });

  it('do not fail because another one does', async () => {
    const outcomes = await Promise.allSettled([3, 4, 3, 5].map((n) => engine.commits.run(add(n))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { kind: 'unique' } });
    expect(await stored()).toEqual([3, 4, 5]);
  });

  it('are committed when none is waiting, however many there were', async () => {
    const all = Array.from({ length: 100 }, (_, n) => n);
    for (const n of all) void engine.commits.run(add(n));
    await engine.commits.settled();
    expect(await stored()).toEqual(all);
  });
});
