import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { openEngine } from '../../src/app/migration.ts';
import { overwriting } from '../../src/db/sqlite/disk-space.ts';
import { describeOn } from './engines.ts';

/** Made-up numbers below `limit`, the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let last = seed;
  return (limit) => {
    last = (last * 48_271) % 2_147_483_647;
    return last % limit;
  };
}

describeOn('SQLite', 'a row that is overwritten', (bench) => {
  it('is nowhere in the file, not even as a copy that was left where a page was divided', async () => {
    await bench.store();
    const engine = await openEngine(bench.url());
    const [ROWS, LONGEST] = [200, 600];
    try {
      const number = numbers(1);
      for (const table of ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => sql.table(`notes_${name}`))) {
        await sql`create table ${table} (id integer primary key, words text not null unique)`.execute(
          engine.db,
        );
        const order = Array.from({ length: ROWS }, (_, id) => ({ id, place: number(1_000_000) }));
        for (const { id } of order.toSorted((one, other) => one.place - other.place))
          await sql`insert into ${table} values (${id}, ${`Erased note ${id} ${'x'.repeat(number(LONGEST))}`})`.execute(
            engine.db,
          );
      }
      const { isRebuilt } = await overwriting(
        engine,
        async () => {
          for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
            await sql`delete from ${sql.table(`notes_${name}`)} where id % 2 = 0`.execute(engine.db);
        },
        () => true,
      );
      expect(isRebuilt).toBe(true);
    } finally {
      await engine.db.destroy();
    }
    const bytes = readFileSync(bench.url().slice('sqlite:'.length), 'latin1');
    const left = [...bytes.matchAll(/Erased note (\d+)/g)].map(([, id]) => Number(id));
    expect(left.filter((id) => id % 2 === 0)).toEqual([]);
    expect(left).toContain(1);
  });
});
