import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openSqlite } from '../../src/db/sqlite.ts';

/** Somebody has his turn within a hundredth of that, unless the machine is busy with something else. */
const ENOUGH_MS = 10_000;

describe('a long row of statements', () => {
  it.each(['each for itself', 'in one transaction'])('leaves room for everybody else, %s', async (how) => {
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
