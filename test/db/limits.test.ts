import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/db/sqlite/sqlite.ts';
import type { Tables } from '../../src/db/tables.ts';

it('a limit on SQLite is part of the statement: bound, it would make SQLite prepare the statement for each use', async () => {
  const db = openSqlite<Tables>(':memory:');
  try {
    const { sql, parameters } = db
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', 'Alder')
      .limit(5)
      .compile();
    expect(sql).toMatch(/ limit 5$/);
    expect(parameters).toEqual(['Alder']);
  } finally {
    await db.destroy();
  }
});
