import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Kysely } from 'kysely';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import { Files } from '../../../src/sandbox/records/files.ts';
import { Records } from '../../../src/sandbox/records/records.ts';
import { createRecordTables, type RecordTables } from '../../../src/sandbox/records/tables.ts';

/** More than the 32,766 variables that SQLite takes in one statement. */
const many = Array.from(
  { length: 33_000 },
  (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
);
const [first = '', second = ''] = many;

let db: Kysely<RecordTables>;
beforeEach(async () => {
  db = openSqlite<RecordTables>(':memory:');
  await createRecordTables(db);
});
afterEach(() => db.destroy());

describe('the records of an organisation', () => {
  it('are found by more identifiers than SQLite takes variables', async () => {
    const records = new Records(db, 'one');
    await records.insertAll(
      'category',
      [
        { name: 'First', fields: {}, uuid: first },
        { name: 'Owned', fields: {}, owner: first, other: second },
      ],
      0,
    );
    expect((await records.byUuids('category', many)).get(first)?.name).toBe('First');
    expect((await records.ownedBy('category', many)).get(first)).toMatchObject([{ name: 'Owned' }]);
    expect((await records.joinedTo('category', many)).get(second)).toMatchObject([{ name: 'Owned' }]);
  });

  it('have their files found by more identifiers than SQLite takes variables', async () => {
    const files = new Files(db);
    const uuid = await files.add('one', { name: 'plan.txt', content: Buffer.from('Plan') });
    expect((await files.tokens('one', [...many, uuid])).size).toBe(1);
    expect(await files.sizes('one', [...many, uuid])).toEqual(new Map([[uuid, 4]]));
  });
});
