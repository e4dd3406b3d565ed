import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Kysely } from 'kysely';
import { Records } from '../../../src/sandbox/records/records.ts';
import { createRecordTables, eraseRecords, type RecordTables } from '../../../src/sandbox/records/tables.ts';
import { generateRecords } from '../../../src/sandbox/seed/generate/generate.ts';
import {
  SeedFault,
  type SeedOrganisation,
  seedOrganisationSchema,
  seedRecords,
} from '../../../src/sandbox/seed/organisation.ts';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';

const clock = { now: () => Date.UTC(2026, 0, 1) };
const DELETED = { withDeleted: true };

let db: Kysely<RecordTables>;
let records: Records;

beforeEach(async () => {
  db = openSqlite<RecordTables>(':memory:');
  await createRecordTables(db);
  records = new Records(db, 'one');
});

afterEach(async () => {
  await db.destroy();
});

const seed = async (organisation: unknown, id = 'one'): Promise<void> =>
  seedRecords(db, id, seedOrganisationSchema.parse(organisation), clock);

/** Everything that is stored, but the tokens of links, which nobody may guess. */
const dump = async (organisation: string): Promise<unknown> =>
  db
    .selectFrom('records')
    .select([
      'kind',
      'number',
      'uuid',
      'code',
      'name',
      'owner',
      'other',
      'archived',
      'deleted',
      'custom_values',
    ])
    .where('organisation_id', '=', organisation)
    .orderBy('kind')
    .orderBy('number')
    .execute();

describe('a seed of given records', () => {
  it('keeps given numbers and UUIDs, and continues above them', async () => {
    await seed({
      clients: [
        { number: 1_500_000, uuid: 'ABCDEF00-0000-4000-8000-000000000000', name: 'a' },
        { name: 'b' },
      ],
    });
    await seed({ clients: [{ number: 12, name: 'c' }, { name: 'd' }] });
    const found = [];
    for await (const batch of records.select('client', DELETED)) found.push(...batch);
    expect(found.map(({ number, name }) => [number, name])).toEqual([
      [12, 'c'],
      [1_500_000, 'a'],
      [1_500_001, 'b'],
      [1_500_002, 'd'],
    ]);
    expect(found[1]?.uuid).toBe('abcdef00-0000-4000-8000-000000000000');
  });

  it('defines a text field for an undefined name that a record uses', async () => {
    await seed({
      clients: [
        {
          name: 'a',
          customFields: [{ name: 'Colour', value: 'red' }],
          contacts: [{ name: 'c', customFields: [{ name: 'Colour', value: 1 }] }],
        },
      ],
    });
    const definitions = await records.all('customField');
    expect(definitions.map(({ name, fields }) => [name, fields.type, fields.use])).toEqual([
      ['Colour', 'Text', ['Client', 'Contact']],
    ]);
  });

  it('allows records to refer to one another by number, name or UUID, in any order', async () => {
    await seed({
      staff: [{ number: 7, name: 'Ada' }],
      clients: [
        { name: 'a', billingClient: 'b', accountManager: 7 },
        { name: 'b', billingClient: 'a', accountManager: 'Ada' },
      ],
    });
    await seed({
      jobs: [
        { name: 'j', client: 'b' },
        { number: 'J000001', name: 'k', client: 1_000_000 },
      ],
    });
    const [a, b] = [await records.byName('client', 'a'), await records.byName('client', 'b')];
    expect(a?.fields.billingClient).toBe(b?.uuid);
    expect(a?.fields.accountManager).toBe(b?.fields.accountManager);
    expect((await records.byName('job', 'j'))?.code).toBe('J000002');
    expect((await records.byCode('job', 'J000001'))?.owner).toBe(a?.uuid);
  });

  it.each([
    [{ clients: [{ name: 'x', accountManager: 9 }] }, 'no record of the kind staff is called 9'],
    [
      { clients: [{ name: 'x', businessStructure: 'Kingdom' }] },
      'no record of the kind businessStructure is called Kingdom',
    ],
    [
      {
        clients: [
          { number: 5, name: 'x' },
          { number: 5, name: 'y' },
        ],
      },
      'two records of the kind client have the same number or UUID',
    ],
    [{ jobs: [{ name: 'j', client: 'nobody' }] }, 'no record of the kind client is called nobody'],
    [
      {
        customFieldDefinitions: [{ name: 'N', type: 'Number', use: ['Client'] }],
        clients: [{ name: 'x', customFields: [{ name: 'N', value: 'many' }] }],
      },
      'Invalid value for custom field N',
    ],
    [
      {
        customFieldDefinitions: [{ name: 'N', type: 'Number', use: ['Job'] }],
        clients: [{ name: 'x', customFields: [{ name: 'N', value: 1 }] }],
      },
      'the custom field N is not defined for Client',
    ],
  ])('is refused completely if it contradicts itself: %j', async (organisation, message) => {
    const attempt = seed({ ...organisation, staff: [{ name: 'written first' }] });
    await expect(attempt).rejects.toBeInstanceOf(SeedFault);
    await expect(attempt).rejects.toThrow(message);
    expect(await dump('one')).toEqual([]);
  });

  it.each([
    [{ clients: [{ name: 'x', nmae: 'x' }] }, 'clients.0'],
    [{ clients: [{ name: '' }] }, 'clients.0.name'],
    [{ clients: [{ name: 'x', number: 0 }] }, 'clients.0.number'],
    [{ clients: [{ name: 'x', number: 3_000_000_000 }] }, 'clients.0.number'],
    [{ clients: [{ name: 'x', dateOfBirth: '01/02/1990' }] }, 'clients.0.dateOfBirth'],
    [
      { clients: [{ name: 'x', documents: [{ title: 't', fileName: 'f', content: '***' }] }] },
      'clients.0.documents.0.content',
    ],
    [{ customer: [] }, ''],
  ])('is refused with the place of the fault: %j', (organisation, place) => {
    const read = seedOrganisationSchema.safeParse(organisation);
    expect(read.error?.issues[0]?.path.join('.') ?? read.success).toBe(place);
  });

  it('can have account codes, tax rates and recurring jobs that name clients and templates', async () => {
    await seed({
      accounts: [{ code: '400', name: 'Drawings', type: 'income' }],
      taxes: [{ name: 'Reduced', rate: 7.5 }],
      templates: [{ name: 'Check' }],
      clients: [{ name: 'Saffron' }],
      recurringJobs: [
        {
          name: 'Yearly',
          client: 'Saffron',
          template: 'Check',
          frequency: 'yearly',
          startDate: '2027-01-04',
        },
        { name: 'Days', client: 'Saffron', frequency: 'dates', dates: ['2026-09-01', '2026-03-01'] },
      ],
    });
    expect(await records.all('account')).toMatchObject([
      { code: '400', name: 'Drawings', fields: { type: 'income' } },
    ]);
    expect(await records.all('tax')).toMatchObject([{ name: 'Reduced', fields: { rate: '7.50' } }]);
    const [client] = await records.all('client');
    expect(await records.all('recurringJob')).toMatchObject([
      {
        owner: client?.uuid,
        fields: { frequency: 'yearly', interval: 1, nextRunDate: '2027-01-04', made: 0 },
      },
      { other: undefined, fields: { dates: ['2026-03-01', '2026-09-01'], nextRunDate: '2026-03-01' } },
    ]);
  });

  it('belongs to one organisation', async () => {
    await seed({ clients: [{ number: 5, name: 'mine' }] });
    await seed({ clients: [{ number: 5, name: 'theirs' }] }, 'two');
    expect((await records.byNumber('client', 5))?.name).toBe('mine');
    await eraseRecords(db, 'two');
    expect(await dump('two')).toEqual([]);
    expect((await records.byNumber('client', 5))?.name).toBe('mine');
  });

  it('is rolled back with its transaction', async () => {
    const attempt = db.transaction().execute(async (transaction) => {
      await seedRecords(
        transaction,
        'one',
        seedOrganisationSchema.parse({ clients: [{ name: 'a' }] }),
        clock,
      );
      throw new Error('later');
    });
    await expect(attempt).rejects.toThrow('later');
    expect(await dump('one')).toEqual([]);
  });
});

describe('a seed of a size', () => {
  const all = (size: number, random?: number): SeedOrganisation[] => [...generateRecords(size, random)];

  it('is valid by its own rules, and has exactly the requested clients', () => {
    for (const size of [0, 1, 17, 1_001]) {
      const batches = all(size);
      for (const batch of batches)
        expect(seedOrganisationSchema.safeParse(batch).error?.issues).toBeUndefined();
      expect(batches.flatMap(({ clients }) => clients ?? [])).toHaveLength(size);
    }
  });

  it('is the same every time, and different for another seed', async () => {
    expect(all(300)).toEqual(all(300));
    expect(all(300, 2)).not.toEqual(all(300));
    await seed({ generate: { clients: 150 } });
    const first = await dump('one');
    await eraseRecords(db);
    await seed({ generate: { clients: 150 } });
    expect(await dump('one')).toEqual(first);
  });

  it('has custom fields of all nine kinds, including values programs get wrong, even when small', async () => {
    await seed({ generate: { clients: 20 } });
    const rows = await db.selectFrom('records').select(['kind', 'custom_values', 'name', 'fields']).execute();
    const held = new Set(rows.filter((row) => row.custom_values !== '{}').map(({ kind }) => kind));
    expect(held).toEqual(
      new Set([
        'client',
        'contact',
        'supplier',
        'supplierContact',
        'job',
        'jobTask',
        'jobCost',
        'time',
        'lead',
      ]),
    );
    const types = new Set((await records.all('customField')).map(({ fields }) => fields.valueElement));
    expect(types).toEqual(new Set(['Text', 'Number', 'Decimal', 'Date', 'Boolean']));
    const names = rows.filter(({ kind }) => kind === 'client').map(({ name }) => name);
    for (const awkward of ['Example & Sons', 'true', '1e5', '00123', '1.10', '&amp; Already Escaped'])
      expect(names).toContain(awkward);
    expect(names.some((name) => /\p{Emoji_Presentation}/u.test(name))).toBe(true);
    expect(names.some((name) => name.length > 250)).toBe(true);
  });

  it('is added to the given records', async () => {
    await seed({ clients: [{ name: 'Given' }], generate: { clients: 9 } });
    expect(await records.count('client', DELETED)).toBe(10);
  });
});
